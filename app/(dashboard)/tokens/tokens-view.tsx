"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { ApiHeader } from "@/app/(dashboard)/_components/api-header";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { type FreshToken, NewToken } from "@/app/(dashboard)/tokens/new-token";
import { PushGuide } from "@/app/(dashboard)/tokens/push-guide";
import { TokenTable } from "@/app/(dashboard)/tokens/token-table";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";

const CreateTokenDialog = dynamic(() =>
  import("@/app/(dashboard)/tokens/create-token-dialog").then((module) => module.CreateTokenDialog),
);

/** Programs' keys, and from a key to a first pushed document without reading anything. */
export function TokensView() {
  const viewer = useViewer();
  const [isCreating, setCreating] = useState(false);
  const [fresh, setFresh] = useState<FreshToken | null>(null);
  const [feedId, setFeedId] = useQueryState("feed", parseAsString);

  return (
    <>
      <ApiHeader
        actions={
          viewer.canAdmin && (
            <Button variant="primary" icon={<Plus aria-hidden size={15} />} onClick={() => setCreating(true)}>
              Create token
            </Button>
          )
        }
      />
      <div className="space-y-5">
        {fresh && <NewToken fresh={fresh} />}
        <PushGuide
          feedId={feedId}
          onChooseFeed={(next) => void setFeedId(next)}
          token={fresh?.token ?? null}
        />
        {viewer.canAdmin ? (
          <TokenTable onCreate={() => setCreating(true)} />
        ) : (
          <Notice tone="info" title="Tokens are managed by admins">
            <p className="text-ink-muted">Ask an admin or the owner of the workspace for a token of yours.</p>
          </Notice>
        )}
      </div>
      {isCreating && (
        <CreateTokenDialog
          onOpenChange={setCreating}
          onCreated={(created) => {
            setFresh(created);
            setCreating(false);
          }}
        />
      )}
    </>
  );
}
