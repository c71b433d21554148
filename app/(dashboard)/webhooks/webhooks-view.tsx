"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ApiHeader } from "@/app/(dashboard)/_components/api-header";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { WebhookTable } from "@/app/(dashboard)/webhooks/webhook-table";
import { shortAddress } from "@/app/(dashboard)/webhooks/webhook-words";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";

const WebhookDialog = dynamic(() =>
  import("@/app/(dashboard)/webhooks/webhook-dialog").then((module) => module.WebhookDialog),
);
const NewSecret = dynamic(() =>
  import("@/app/(dashboard)/webhooks/new-secret").then((module) => module.NewSecret),
);

/** Who is told of what happens here. */
export function WebhooksView() {
  const viewer = useViewer();
  const [isCreating, setCreating] = useState(false);
  const [fresh, setFresh] = useState<{ url: string; secret: string } | null>(null);
  return (
    <>
      <ApiHeader
        actions={
          viewer.canAdmin && (
            <Button variant="primary" icon={<Plus aria-hidden size={15} />} onClick={() => setCreating(true)}>
              Add webhook
            </Button>
          )
        }
      />
      <div className="space-y-5">
        <p className="text-sm text-ink-muted">
          Addresses that are told, by a signed POST, of what happens in this workspace.{" "}
          <a href="/docs/webhooks">What is sent, and how to check it</a>.
        </p>
        {fresh && (
          <NewSecret
            secret={fresh.secret}
            title={`Webhook to ${shortAddress(fresh.url)} added. Copy its signing secret now: it is shown this once.`}
            note="With it the receiver checks that a delivery comes from here. The snippets carry it until you leave this page."
          />
        )}
        {viewer.canAdmin ? (
          <WebhookTable onCreate={() => setCreating(true)} />
        ) : (
          <Notice tone="info" title="Webhooks are managed by admins">
            <p className="text-ink-muted">
              Ask an admin or the owner of the workspace to have an address of yours told.
            </p>
          </Notice>
        )}
      </div>
      {isCreating && (
        <WebhookDialog
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setFresh(created);
            setCreating(false);
          }}
        />
      )}
    </>
  );
}
