import type { DeliveryDetail } from "@/app/(dashboard)/_lib/types";
import { Fold, RawText } from "@/components/fold";
import { Notice } from "@/components/notice";

/** What the receiver answered to the test, right away. */
export function TestResult({ delivery }: { delivery: DeliveryDetail }) {
  const attempt = delivery.lastAttempt;
  if (!attempt) {
    return (
      <Notice tone="warn" announce title="The test is still under way. Its result will stand in the log." />
    );
  }
  const body = attempt.response?.body;
  return (
    <Notice
      tone={attempt.error ? "bad" : "info"}
      announce
      title={
        attempt.error
          ? `The test did not get through: ${attempt.error.message}`
          : `The test was accepted: the receiver answered ${attempt.status} in ${attempt.ms} ms.`
      }
    >
      {attempt.error && (
        <p className="text-ink-muted">
          Tests are not tried again. Mend the receiver or the address, then send another.
        </p>
      )}
      {body && (
        <Fold summary="What it answered">
          <RawText label="Answer">{body}</RawText>
        </Fold>
      )}
    </Notice>
  );
}
