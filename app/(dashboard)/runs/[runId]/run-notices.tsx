import { splitMessage } from "@/app/(dashboard)/_lib/split-message";
import type { RunDetail } from "@/app/(dashboard)/_lib/types";
import { Fold, RawText } from "@/components/fold";
import { Notice } from "@/components/notice";
import { Sentence } from "@/components/sentence";

/** The cause first: why the run failed or stopped early, then what it warns of. */
export function RunNotices({ run }: { run: RunDetail }) {
  const { error } = run;
  const said = error && splitMessage(error.message);
  return (
    <>
      {error && said && (
        <Notice tone={run.status === "partial" ? "warn" : "bad"} title={<Sentence>{said.title}</Sentence>}>
          {said.rest && (
            <p>
              <Sentence>{said.rest}</Sentence>
            </p>
          )}
          {run.status === "partial" && (
            <p>What was read until then is stored. The next run goes on from there.</p>
          )}
          {error.detail && (
            <Fold summary="What it answered">
              <RawText label="The upstream’s answer">{error.detail}</RawText>
            </Fold>
          )}
        </Notice>
      )}
      {run.status === "abandoned" && !error && (
        <Notice tone="bad" title="Whoever ran it stopped reporting">
          <p>Its lease ran out. What it had stored stays; anything it sends from now on is refused.</p>
        </Notice>
      )}
      {run.restarted && (
        <Notice tone="info" title="The upstream forgot the position">
          <p>The run began once more from the beginning. Documents that did not change cost nothing.</p>
        </Notice>
      )}
      {run.warnings.length > 0 && (
        <Notice
          tone="warn"
          title={run.warnings.length === 1 ? "1 warning" : `${run.warnings.length} warnings`}
        >
          <ul className="list-disc space-y-1 pl-4">
            {run.warnings.map((warning, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: warnings may repeat word for word
              <li key={index}>
                <Sentence>{warning.message}</Sentence>{" "}
                <code className="text-xs text-ink-muted">{warning.code}</code>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
