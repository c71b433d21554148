"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { BulkBar } from "@/app/(dashboard)/_bulk/bulk-bar";
import { useBulk } from "@/app/(dashboard)/_bulk/bulk-provider";
import type { TokenRow } from "@/app/(dashboard)/_lib/types";
import { Button } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { countOf } from "@/components/numbers";
import { useTRPC, useTRPCClient } from "@/trpc/client";

/** So many are named before they go; of more, how many there are. */
const NAMED = 5;

/** Revokes all chosen tokens; those that are revoked already are left out. */
export function TokenBulkBar({ chosen, onClear }: { chosen: TokenRow[]; onClear(): void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const start = useBulk();
  const [isAsking, setAsking] = useState(false);
  const valid = chosen.filter((token) => !token.revokedAt);
  const tokens = countOf(valid.length, "token");
  const named = valid.slice(0, NAMED).map((token) => token.name);
  const others = valid.length - named.length;
  const names = new Intl.ListFormat("en").format(others > 0 ? [...named, `${others} more`] : named);

  return (
    <>
      <BulkBar count={chosen.length} noun="token" onClear={onClear}>
        <Button size="sm" className="text-bad!" disabled={valid.length === 0} onClick={() => setAsking(true)}>
          {valid.length === 0 ? "Revoked already" : `Revoke ${tokens}…`}
        </Button>
      </BulkBar>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Revoke ${tokens}?`}
        effect={
          <p>
            Programs that use {names} are refused within a second. This cannot be undone; new tokens can be
            created at any time.
          </p>
        }
        actionLabel={`Revoke ${tokens}`}
        pendingLabel="Revoking"
        isPending={false}
        onConfirm={() => {
          setAsking(false);
          onClear();
          start({
            doing: "Revoking",
            done: "Revoked",
            noun: "token",
            items: valid,
            async run(tokenIds) {
              const result = await client.tokens.revokeMany.mutate({ tokenIds });
              await queryClient.invalidateQueries(trpc.tokens.pathFilter());
              return result;
            },
          });
        }}
      />
    </>
  );
}
