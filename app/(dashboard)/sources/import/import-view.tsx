"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { ChooseFile } from "@/app/(dashboard)/sources/import/choose-file";
import { ChooseOutlines } from "@/app/(dashboard)/sources/import/choose-outlines";
import { ImportProgress } from "@/app/(dashboard)/sources/import/import-progress";
import type { Item } from "@/app/(dashboard)/sources/import/outline-tree";
import { useTRPC } from "@/trpc/client";

/** A file, what it would bring, and what it brought. */
export function ImportView() {
  const trpc = useTRPC();
  const [importing, setImporting] = useState<Item[] | null>(null);
  const preview = useMutation(trpc.opml.preview.mutationOptions());

  if (importing) {
    return (
      <ImportProgress
        items={importing}
        onAgain={() => {
          setImporting(null);
          preview.reset();
        }}
      />
    );
  }
  if (preview.data) {
    return <ChooseOutlines preview={preview.data} onImport={setImporting} onBack={() => preview.reset()} />;
  }
  return (
    <div className="space-y-4">
      <ChooseFile isPending={preview.isPending} onChoose={(base64) => preview.mutate({ base64 })} />
      <CallError error={preview.error} what="The file could not be read" />
    </div>
  );
}
