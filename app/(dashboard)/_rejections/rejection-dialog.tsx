"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import type { Rejection } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { readDocument } from "@/app/(dashboard)/_rejections/read-document";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Textarea } from "@/components/field";
import { Link } from "@/components/link";
import { Notice } from "@/components/notice";
import { countOf } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import { Sentence } from "@/components/sentence";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

/** One rejected item: why, and what was sent, to be mended and stored. */
export function RejectionDialog({ rejection, onClose }: { rejection: Rejection; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const viewer = useViewer();
  const original = JSON.stringify(rejection.payload, null, 2);
  const [text, setText] = useState(original);
  const [refusedAgain, setRefusedAgain] = useState<string | null>(null);
  const parsed = readDocument(text);
  const retry = useMutation(
    trpc.feeds.retryRejection.mutationOptions({
      async onSuccess(result) {
        const [refused] = result.documentsRejected;
        if (refused) setRefusedAgain(refused.message);
        else {
          toast.plain("Stored.");
          onClose();
        }
        await refresh();
      },
    }),
  );
  const isEdited = text !== original;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={rejection.externalId ?? "Item without an id"}
      description={
        <>
          <Sentence>{rejection.message}</Sentence> <code className="text-xs">{rejection.code}</code>
        </>
      }
    >
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          setRefusedAgain(null);
          retry.mutate({
            feedId: rejection.feedId,
            rejectionId: rejection.id,
            ...(isEdited && parsed.ok && { document: parsed.document }),
          });
        }}
      >
        <p className="text-sm text-ink-muted">
          {rejection.feedName && (
            <>
              From <Link href={`/feeds/${rejection.feedId}`}>{rejection.feedName}</Link>, refused{" "}
            </>
          )}
          <RelativeTime at={rejection.lastAt} />
          {rejection.occurrences > 1 && `, ${countOf(rejection.occurrences, "time")} since first seen`}
          {rejection.runId && (
            <>
              , <Link href={`/runs/${rejection.runId}`}>see the run</Link>
            </>
          )}
          .
        </p>
        <Field
          label="What was sent"
          hint={
            viewer.canWrite ? "Mend it here and try again; what is stored is what stands here." : undefined
          }
          error={parsed.ok ? null : parsed.message}
        >
          <Textarea
            value={text}
            onChange={(event) => setText(event.target.value)}
            readOnly={!viewer.canWrite}
            spellCheck={false}
            rows={Math.min(18, original.split("\n").length + 2)}
            className="font-mono text-xs"
          />
        </Field>
        {refusedAgain && (
          <Notice tone="warn" announce title={<Sentence>{`Still refused: ${refusedAgain}`}</Sentence>} />
        )}
        <CallError error={retry.error} what="It was not tried" />
        {viewer.canWrite && (
          <DialogActions>
            <Button
              type="submit"
              variant="primary"
              disabled={!parsed.ok}
              pendingLabel={retry.isPending && "Trying"}
            >
              {isEdited ? "Store as edited" : "Try again"}
            </Button>
          </DialogActions>
        )}
      </form>
    </Dialog>
  );
}
