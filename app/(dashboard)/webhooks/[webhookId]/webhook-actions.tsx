"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ban, Ellipsis, KeyRound, Pencil, Play, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import type { Webhook } from "@/app/(dashboard)/_lib/types";
import { shortAddress } from "@/app/(dashboard)/webhooks/webhook-words";
import { IconButton } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Menu, MenuDivider, MenuItem } from "@/components/menu";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

const WebhookDialog = dynamic(() =>
  import("@/app/(dashboard)/webhooks/webhook-dialog").then((module) => module.WebhookDialog),
);
const RotateDialog = dynamic(() =>
  import("@/app/(dashboard)/webhooks/[webhookId]/rotate-dialog").then((module) => module.RotateDialog),
);

/** What is done to a webhook now and then. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const [asking, setAsking] = useState<"edit" | "rotate" | "delete" | null>(null);
  const close = () => setAsking(null);
  const webhookId = webhook.id;
  const isEnabled = webhook.status === "enabled";
  const turn = useMutation(
    trpc.webhooks.update.mutationOptions({
      async onSuccess(changed) {
        toast.plain(changed.status === "enabled" ? "Enabled." : "Disabled.");
        await queryClient.invalidateQueries(trpc.webhooks.pathFilter());
      },
      onError: (error) => toastError(error, "Nothing was changed"),
    }),
  );
  const remove = useMutation(
    trpc.webhooks.delete.mutationOptions({
      async onSuccess() {
        router.push("/webhooks");
        await queryClient.invalidateQueries(trpc.webhooks.list.queryFilter());
      },
    }),
  );
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More acts">
            <Ellipsis aria-hidden size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden size={15} />} onSelect={() => setAsking("edit")}>
          Edit…
        </MenuItem>
        <MenuItem icon={<KeyRound aria-hidden size={15} />} onSelect={() => setAsking("rotate")}>
          Rotate secret…
        </MenuItem>
        <MenuItem
          icon={isEnabled ? <Ban aria-hidden size={15} /> : <Play aria-hidden size={15} />}
          onSelect={() => turn.mutate({ webhookId, status: isEnabled ? "disabled" : "enabled" })}
        >
          {isEnabled ? "Disable" : "Enable"}
        </MenuItem>
        <MenuDivider />
        <MenuItem icon={<Trash2 aria-hidden size={15} />} onSelect={() => setAsking("delete")}>
          Delete…
        </MenuItem>
      </Menu>
      {asking === "edit" && <WebhookDialog webhook={webhook} onClose={close} />}
      {asking === "rotate" && <RotateDialog webhookId={webhookId} onClose={close} />}
      <ConfirmDialog
        open={asking === "delete"}
        onOpenChange={(open) => !open && close()}
        title={`Delete the webhook to ${shortAddress(webhook.url)}?`}
        effect={
          <p>
            Its receiver is told of nothing more, and its delivery log goes too, with what was not delivered
            yet. This cannot be undone.
          </p>
        }
        actionLabel="Delete webhook"
        pendingLabel="Deleting"
        isPending={remove.isPending}
        error={<CallError error={remove.error} what="The webhook is still there" />}
        onConfirm={() => remove.mutate({ webhookId })}
      />
    </>
  );
}
