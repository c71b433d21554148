import { test } from "@playwright/test";
import { mutate } from "../api";
import { AccessPages } from "../pages/access";
import { OWNER, serveApp } from "../serve-app";
import { photograph } from "./photograph";

const app = serveApp();

/** Deliveries in every state, of a webhook that fails. */
async function addLog(webhookId: string) {
  await app.sql(
    `INSERT INTO webhook_deliveries (workspace_id, id, endpoint_id, type, body, state, claim, tries, next_attempt_at,
                                     give_up_at, attempts, created_at, finished_at)
     SELECT e.workspace_id, 'dlv_01jz00000000000000000000' || lpad(n::text, 2, '0'), e.id, d.type,
            jsonb_build_object('type', d.type, 'timestamp', '2026-06-14T09:00:00.000Z', 'data', jsonb_build_object(
              'feedId', 'feed_01jz0000000000000000000000', 'feedName', 'Harbour news', 'sourceName', 'Harbour'))::text,
            d.state, d.tries, d.tries, CASE WHEN d.state = 'pending' THEN now() + interval '79 minutes' END,
            now() + interval '20 hours',
            CASE WHEN d.tries = 0 THEN '[]'::jsonb ELSE (
              SELECT jsonb_agg(jsonb_build_object('at', to_char(now() - make_interval(mins => 9 * i), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                'ms', 31 + i, 'status', d.status, 'error', CASE WHEN d.status > 299 THEN jsonb_build_object('code', 'status',
                'message', 'pager.example.org answered 503.') END, 'response', jsonb_build_object('contentType', 'text/plain',
                'body', CASE WHEN d.status > 299 THEN 'upstream connect error or disconnect before headers' ELSE '' END, 'isCut', false)))
                FROM generate_series(d.tries, 1, -1) i) END,
            now() - make_interval(mins => 13 * n), CASE WHEN d.state <> 'pending' THEN now() END
       FROM webhook_endpoints e, (VALUES (1, 'run.failed', 'pending', 0, NULL), (2, 'changes.available', 'pending', 4, 503),
              (3, 'deletes.held', 'failed', 11, 503), (4, 'run.recovered', 'delivered', 1, 204),
              (5, 'feed.rate_limited', 'delivered', 2, 200)) AS d (n, type, state, tries, status)
      WHERE e.id = $1`,
    [webhookId],
  );
  await app.sql(
    `UPDATE webhook_endpoints SET failing_since = now() - interval '3 hours', consecutive_failures = 15,
            last_success_at = now() - interval '4 hours', overlap_until = now() + interval '5 hours' WHERE id = $1`,
    [webhookId],
  );
}

test("webhooks", async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
  await page.goto(`${app.url}/webhooks`);
  await photograph(page, "webhooks-empty");
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("https://pager.example.org/in?key=7c9e6679-7425");
  await photograph(page, "webhooks-add", { inFront: true });
  await dialog.getByLabel("Description").fill("Pager of the harbour");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await page.getByTestId("new-secret").waitFor();
  const { id } = await mutate<{ id: string }>(page.request, app.url, "webhooks.create", {
    url: "https://search.example.org/a/rather/long/path/that/does/not/fit/into/the/column/of/the/table",
    events: ["changes.available", "deletes.held", "feed.paused", "feed.rate_limited", "run.failed"],
  });
  await app.sql(
    `UPDATE webhook_endpoints SET state = 'disabled', disabled_by = 'gone', disabled_at = now() - interval '2 days',
            disabled_reason = 'The address answered 410 (gone), which means that it wants no more deliveries.' WHERE id = $1`,
    [id],
  );
  await page.getByText("search.example.org").first().waitFor();
  await photograph(page, "webhooks-secret");

  await page.goto(`${app.url}/webhooks/${id}`);
  await page.getByText("which means").waitFor();
  await photograph(page, "webhook-disabled");

  await page.goto(`${app.url}/webhooks`);
  await page.getByRole("link", { name: /pager\.example\.org/ }).click();
  await page.getByRole("heading", { level: 1, name: "Pager of the harbour" }).waitFor();
  await addLog(page.url().split("/").at(-1) ?? "");
  await page.reload();
  await photograph(page, "webhook");
  await page.goto(`${page.url()}?delivery=dlv_01jz0000000000000000000002`);
  await dialog.getByText("What came back").waitFor();
  await photograph(page, "webhook-delivery", { inFront: true });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByText("did not get through").waitFor();
  await photograph(page, "webhook-test-failed");
  await page.getByRole("button", { name: "More acts" }).click();
  await photograph(page, "webhook-acts", { inFront: true });
  await page.getByRole("menuitem", { name: "Rotate secret…" }).click();
  await photograph(page, "webhook-rotate", { inFront: true });
});
