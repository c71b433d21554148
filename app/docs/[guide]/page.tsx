import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GUIDES, type Guide } from "@/app/docs/guides";
import { renderGuide } from "@/app/docs/render-guide";

type Props = { params: Promise<{ guide: string }> };

async function findGuide({ params }: Props): Promise<Guide> {
  const { guide: name } = await params;
  return GUIDES.find((guide) => guide.name === name) ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await findGuide(props)).title };
}

/** One guide of the docs folder, as this version of the server has it. */
export default async function GuidePage(props: Props) {
  const { file } = await findGuide(props);
  const { title, html, sections } = renderGuide(
    await readFile(join(/* turbopackIgnore: true */ process.cwd(), file), "utf8"),
    file,
  );
  return (
    <div className="flex items-start gap-8">
      <article className="min-w-0 flex-1">
        <h1 className="mt-4 mb-3 text-xl font-semibold">{title}</h1>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, in which markup stays text */}
        <div className="prose guide" dangerouslySetInnerHTML={{ __html: html }} />
      </article>
      {sections.length > 1 && (
        <nav aria-label="On this page" className="sticky top-4 mt-5 w-44 shrink-0 max-xl:hidden">
          <h2 className="mb-1.5 text-xs font-medium text-ink-muted">On this page</h2>
          <ul className="space-y-1 border-l border-line text-sm">
            {sections.map((section) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="block py-0.5 pl-3 text-ink-muted no-underline hover:text-ink"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
