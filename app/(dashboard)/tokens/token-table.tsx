"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { parseAsStringLiteral } from "nuqs";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { useSelection } from "@/app/(dashboard)/_bulk/use-selection";
import { CsvLink } from "@/app/(dashboard)/_components/csv-link";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { exportHref } from "@/app/(dashboard)/_lib/export-href";
import type { TokenRow } from "@/app/(dashboard)/_lib/types";
import { useTableState } from "@/app/(dashboard)/_lib/use-table-state";
import { TokenBulkBar } from "@/app/(dashboard)/tokens/token-bulk-bar";
import { Button } from "@/components/button";
import { useNow } from "@/components/clock";
import { ColumnChoice } from "@/components/column-choice";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { DataTable } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { FilterSelect } from "@/components/field";
import { RelativeTimeOrNever } from "@/components/relative-time";
import { TableSkeleton } from "@/components/skeleton";
import type { Column } from "@/components/table-column";
import { useColumnChoice } from "@/components/use-column-choice";
import { useTRPC } from "@/trpc/client";

/** All tokens, revoked ones too: what could once reach this workspace stays on record. */
export function TokenTable({ onCreate }: { onCreate(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [revoking, setRevoking] = useState<TokenRow | null>(null);
  const now = useNow();
  const choice = useColumnChoice("tokens");
  // All tokens are here, so they are sorted here; the order lives in the URL as everywhere.
  const table = useTableState({ tokens: parseAsStringLiteral(["usable"]) }, ["name", "used", "expires"]);
  const list = useQuery(trpc.tokens.list.queryOptions());
  const revoke = useMutation(
    trpc.tokens.revoke.mutationOptions({
      async onSuccess() {
        setRevoking(null);
        await queryClient.invalidateQueries(trpc.tokens.pathFilter());
      },
    }),
  );

  const shown = columns(setRevoking);
  const rows = (list.data ?? []).filter(
    (token) => table.filters.tokens !== "usable" || (!token.revokedAt && !isExpired(token, now)),
  );
  const { selection, chosen, clear } = useSelection(rows, (token: TokenRow) => token);
  return (
    <section aria-labelledby="tokens-heading">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 id="tokens-heading" className="text-lg font-semibold">
          Tokens
        </h2>
        {list.data && list.data.length > 0 && (
          <div className="flex gap-2">
            <FilterSelect
              label="Which tokens"
              value={table.filters.tokens ?? ""}
              onChange={(event) => table.set({ tokens: event.target.value === "usable" ? "usable" : null })}
            >
              <option value="">All tokens</option>
              <option value="usable">Usable</option>
            </FilterSelect>
            <ColumnChoice columns={shown} choice={choice} />
            <CsvLink href={exportHref("tokens", table.filters)} />
          </div>
        )}
      </div>
      {list.isPending && <TableSkeleton rows={3} columns={5} />}
      {list.isError && !list.data && (
        <CallError
          error={list.error}
          what="The tokens could not be read"
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data?.length === 0 && (
        <EmptyState
          icon={<KeyRound aria-hidden size={26} />}
          title="No token yet"
          action={<Button onClick={onCreate}>Create token</Button>}
        >
          A token is a program’s key to this workspace. It does only what its scopes allow and can be revoked
          at any time.
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <DataTable
          caption="Tokens"
          columns={shown}
          rows={rows}
          sort={table.sort}
          visibility={choice.visibility}
          rowKey={(token) => token.id}
          rowLabel={(token) => token.name}
          selection={selection}
        />
      )}
      <TokenBulkBar chosen={chosen} onClear={clear} />
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(open) => !open && setRevoking(null)}
        title={`Revoke ${revoking?.name ?? ""}?`}
        effect={
          <p>
            Programs that use <code className="text-xs">{revoking?.prefix}…</code> are refused within a
            second. This cannot be undone; a new token can be created at any time.
          </p>
        }
        actionLabel={`Revoke ${revoking?.name ?? ""}`}
        pendingLabel="Revoking"
        isPending={revoke.isPending}
        error={<CallError error={revoke.error} what="The token still holds" />}
        onConfirm={() => revoking && revoke.mutate({ tokenId: revoking.id })}
      />
    </section>
  );
}

function columns(onRevoke: (token: TokenRow) => void): Column<TokenRow>[] {
  return [
    {
      id: "name",
      header: "Name",
      sortKey: "name",
      sortValue: (token) => token.name,
      cell: (token) => <span className="font-medium">{token.name}</span>,
    },
    { id: "state", header: "State", width: "112px", cell: (token) => <TokenState token={token} /> },
    {
      id: "prefix",
      header: "Begins with",
      width: "144px",
      from: "lg",
      cell: (token) => <code className="text-xs">{token.prefix}…</code>,
    },
    {
      id: "scopes",
      header: "Scopes",
      width: "200px",
      from: "md",
      cell: (token) => <span title={token.scopes.join(", ")}>{token.scopes.join(", ")}</span>,
    },
    {
      id: "used",
      header: "Last used",
      sortKey: "used",
      sortFirst: "desc",
      sortValue: (token) => Number(token.lastUsedAt ?? 0),
      width: "120px",
      cell: (token) => <RelativeTimeOrNever at={token.lastUsedAt} />,
    },
    {
      id: "expires",
      header: "Expires",
      sortKey: "expires",
      sortFirst: "desc",
      sortValue: (token) => Number(token.expiresAt ?? 0),
      width: "120px",
      from: "md",
      cell: (token) => <RelativeTimeOrNever at={token.expiresAt} />,
    },
    {
      id: "acts",
      header: "Acts",
      width: "92px",
      isActions: true,
      cell: (token) =>
        token.revokedAt ? null : (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Revoke ${token.name}…`}
            onClick={() => onRevoke(token)}
          >
            Revoke…
          </Button>
        ),
    },
  ];
}

function TokenState({ token }: { token: TokenRow }) {
  const now = useNow();
  if (token.revokedAt) return <StatusBadge status="revoked" />;
  if (isExpired(token, now)) return <StatusBadge status="expired" />;
  return <StatusBadge status="active" />;
}

function isExpired(token: TokenRow, now: number): boolean {
  return token.expiresAt !== null && new Date(token.expiresAt).getTime() <= now;
}
