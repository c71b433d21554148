import { ExternalLink } from "lucide-react";
import type { Metadata } from "next";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { fetchOrNotFound } from "@/app/(dashboard)/_lib/prefetch";
import { readViewer, requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import type { DocumentDetail } from "@/app/(dashboard)/_lib/types";
import { DocumentText } from "@/app/(dashboard)/documents/[documentId]/document-text";
import { FollowDocument } from "@/app/(dashboard)/documents/[documentId]/follow-document";
import { safeHref } from "@/app/(dashboard)/documents/[documentId]/sanitise";
import { WrittenBy } from "@/app/(dashboard)/documents/[documentId]/written-by";
import { CopyButton } from "@/components/copy-button";
import { Fold, RawText } from "@/components/fold";
import { Notice } from "@/components/notice";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { ShortId } from "@/components/short-id";
import { trpc } from "@/trpc/server";

type Props = { params: Promise<{ documentId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { documentId } = await params;
  if (!(await readViewer())) return {};
  const document = await fetchOrNotFound(trpc.documents.get.queryOptions({ documentId }));
  return { title: document.title || document.externalId };
}

export default async function DocumentPage({ params }: Props) {
  const { documentId } = await params;
  await requireViewer(`/documents/${encodeURIComponent(documentId)}`);
  const document = await fetchOrNotFound(trpc.documents.get.queryOptions({ documentId }));
  const link = safeHref(document.url);
  const metadata =
    Object.keys(document.metadata).length > 0 ? JSON.stringify(document.metadata, null, 2) : null;

  return (
    <>
      <FollowDocument documentId={document.id} seq={document.seq} />
      <PageHeader
        title={document.title || document.externalId}
        crumbs={[
          { label: "Documents", href: "/documents" },
          // A deleted feed's documents stay as tombstones until they are purged.
          ...(document.sourceName
            ? [{ label: document.sourceName, href: `/sources/${document.sourceId}` }]
            : []),
          ...(document.feedName ? [{ label: document.feedName, href: `/feeds/${document.feedId}` }] : []),
        ]}
        meta={
          <>
            {document.deleted && <StatusBadge status="tombstone" />}
            {document.author && <span>{document.author}</span>}
            {document.date && (
              <span>
                Published <RelativeTime at={document.date} />
              </span>
            )}
            {link && (
              <a
                href={link}
                target="_blank"
                rel="noreferrer noopener"
                className="inline-flex items-center gap-1"
              >
                Open the original <ExternalLink aria-hidden size={12} />
              </a>
            )}
          </>
        }
      />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="min-w-0">
          {document.deleted ? (
            <Notice
              tone="info"
              title={
                <>
                  This is a <Explain term="tombstone">tombstone</Explain>
                </>
              }
            >
              <p>
                It was deleted upstream <RelativeTime at={document.changedAt} />. Its id and version are kept
                so that an old copy cannot bring it back; its content is gone here and in every client that
                follows.
              </p>
            </Notice>
          ) : (
            <Panel>
              <DocumentText text={document.text} format={document.format} baseUrl={link} />
            </Panel>
          )}
        </div>
        <aside className="min-w-0 space-y-4">
          <Panel title="Record">
            <dl className="space-y-2.5 text-sm">
              <Item term="Document id">
                <ShortId id={document.id} label="document id" />
              </Item>
              <Item term="Id upstream">
                <span className="flex items-start gap-1">
                  <code className="line-clamp-4 min-w-0 text-xs break-all" title={document.externalId}>
                    {document.externalId}
                  </code>
                  <CopyButton text={document.externalId} label="Copy the upstream id" />
                </span>
              </Item>
              <Item term="Version">
                {document.version ? (
                  <code className="text-xs break-all">{document.version}</code>
                ) : (
                  "None: content decides"
                )}
              </Item>
              <Item term={<Explain term="seq">Seq</Explain>}>
                <code className="text-xs">{document.seq}</code>
              </Item>
              <Item term="Format">{FORMAT_WORDS[document.format]}</Item>
              <Item term="First seen">
                <RelativeTime at={document.createdAt} />
              </Item>
              <Item term="Changed here">
                <RelativeTime at={document.changedAt} />
              </Item>
            </dl>
            {metadata && (
              <div className="mt-3 border-t border-line pt-3">
                <Fold summary="Metadata">
                  <RawText label="Metadata">{metadata}</RawText>
                </Fold>
              </div>
            )}
          </Panel>
          <WrittenBy document={document} />
        </aside>
      </div>
    </>
  );
}

const FORMAT_WORDS: Record<DocumentDetail["format"], string> = {
  text: "Plain text",
  html: "HTML",
  markdown: "Markdown",
};

function Item({ term, children }: { term: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="w-28 shrink-0 text-ink-muted">{term}</dt>
      <dd className="min-w-0 flex-1">{children}</dd>
    </div>
  );
}
