import { type Page, test } from "@playwright/test";
import { mutate } from "../api";
import { AccessPages } from "../pages/access";
import { OWNER, serveApp } from "../serve-app";
import { photograph, photographEach } from "./photograph";

const app = serveApp();

/** A workspace of five, one of them with a long name, and three who were asked. */
async function addPeople(page: Page) {
  await app.sql(
    `WITH people (name, email, role, seen) AS (VALUES
       ('Bo Neap', 'bo@example.org', 'admin', interval '3 hours'),
       ('Cleo Spring', 'cleo@example.org', 'member', interval '26 days'),
       ('Maximiliana Wellenreiter-Gezeitenstrom', 'maximiliana.wellenreiter@harbour-office.example.org', 'viewer', NULL),
       ('Dag', 'dag@example.org', 'member', interval '40 seconds')),
     added AS (INSERT INTO users (id, email, name, last_sign_in_at)
       SELECT 'usr_01jz000000000000000000000' || row_number() OVER (), email, name, now() - seen FROM people
       RETURNING id, email)
     INSERT INTO memberships (workspace_id, user_id, role, created_at)
     SELECT w.id, a.id, p.role::"Role", now() - interval '50 days'
       FROM workspaces w, added a JOIN people p ON p.email = a.email`,
  );
  for (const [email, role] of [
    ["eve@example.org", "viewer"],
    ["finn@example.org", "admin"],
  ]) {
    await mutate(page.request, app.url, "people.invite", { email, role });
  }
  await app.sql("UPDATE invitations SET expires_at = now() - interval '3 days' WHERE email LIKE 'eve%'");
  await app.sql(
    `INSERT INTO api_tokens (workspace_id, id, name, token_hash, prefix, scopes, created_by)
     SELECT m.workspace_id, 'tok_01jz000000000000000000000' || n, 'Importer', sha256(n::text::bytea), 'tdm_1_ab', '{admin}', m.user_id
       FROM memberships m, generate_series(1, 2) n WHERE m.role = 'admin'`,
  );
}

test("settings and people", async ({ page }) => {
  await new AccessPages(page, app.url).signIn(OWNER);
  await page.goto(`${app.url}/settings/people`);
  await photograph(page, "people-alone");
  await addPeople(page);
  await photographEach(page, app.url, {
    settings: "/settings",
    people: "/settings/people",
    "your-account": "/settings/account",
  });
  await people(page);
  await forms(page);
  await joining(page);
  // Somebody stays the owner: without one the first visit would come again.
  await app.sql(
    "UPDATE memberships SET role = CASE role WHEN 'owner' THEN 'viewer' WHEN 'admin' THEN 'owner' ELSE role END::\"Role\"",
  );
  await new AccessPages(page, app.url).signIn(OWNER);
  await photographEach(page, app.url, {
    "viewer-settings": "/settings",
    "viewer-people": "/settings/people",
  });
});

async function people(page: Page) {
  const dialog = page.getByRole("dialog");
  const shoot = (name: string) => photograph(page, name, { inFront: true });
  await page.goto(`${app.url}/settings/people`);
  await page.getByRole("button", { name: "Acts on Bo Neap" }).click();
  await page.getByRole("menu").waitFor();
  await shoot("people-acts");
  await page.getByRole("menuitem", { name: "Change role…" }).click();
  await dialog.getByLabel(/^Viewer/).check();
  await shoot("people-role");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Acts on Bo Neap" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await dialog.getByText("loses access").waitFor();
  await shoot("people-remove");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Withdraw the invitation of finn@example.org…" }).click();
  await dialog.waitFor();
  await shoot("people-withdraw");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Invite person" }).click();
  await dialog.getByLabel("E-mail").fill("bo@example.org");
  await dialog.getByRole("button", { name: "Make link" }).click();
  await dialog.getByText("belongs to this workspace already").waitFor();
  await shoot("people-invite-refused");
  await dialog.getByLabel("E-mail").fill("gil@example.org");
  await dialog.getByRole("button", { name: "Make link" }).click();
  await page.getByTestId("new-invitation").waitFor();
  await photograph(page, "people-invited");
}

async function forms(page: Page) {
  await page.goto(`${app.url}/settings`);
  await page.getByLabel("Days").first().fill("7");
  await page.getByRole("button", { name: "Save" }).nth(1).click();
  await page.getByRole("dialog").waitFor();
  await photograph(page, "settings-runs-shorter", { inFront: true });
  await page.goto(`${app.url}/settings/account`);
  await page.getByLabel("Current password").fill("not this one");
  await page.getByLabel("New password").fill("another long password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("This is not your current password.").waitFor();
  await photograph(page, "your-account-refused");
  await page.setViewportSize({ width: 375, height: 812 });
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "More" }).click();
  await page.getByRole("menu").waitFor();
  await photograph(page, "menu-more", { inFront: true });
}

async function joining(page: Page) {
  await page.goto(`${app.url}/settings/people`);
  await page.getByRole("button", { name: "New link for gil@example.org…" }).click();
  await page.getByRole("dialog").waitFor();
  await photograph(page, "people-invite-again", { inFront: true });
  await page.getByRole("dialog").getByRole("button", { name: "Make link" }).click();
  const link = (await page.getByTestId("new-invitation").textContent()) ?? "";
  await page.goto(link);
  await photograph(page, "invite-signed-in");
  await page.context().clearCookies();
  await page.goto(link);
  await photograph(page, "invite");
  await page.goto(`${app.url}/invite/nothing`);
  await photograph(page, "invite-over");
}
