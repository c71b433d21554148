-- Who was asked to join a workspace and has not yet. Accepted or withdrawn, the row goes; the audit log keeps
-- what happened.

CREATE TABLE "invitations" (
  "workspace_id" INTEGER NOT NULL,
  "id" TEXT COLLATE "C" NOT NULL,
  "email" TEXT COLLATE "C" NOT NULL,
  "role" "Role" NOT NULL,
  "token_hash" BYTEA NOT NULL,
  "invited_by" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "expires_at" TIMESTAMPTZ(6) NOT NULL,

  CONSTRAINT "invitations_pkey" PRIMARY KEY ("workspace_id", "id"),
  CONSTRAINT "invitations_workspace_id_fkey" FOREIGN KEY ("workspace_id")
    REFERENCES "workspaces" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- One at a time for an address: asking again replaces the link.
CREATE UNIQUE INDEX "invitations_workspace_id_email_key" ON "invitations" ("workspace_id", "email");
CREATE UNIQUE INDEX "invitations_workspace_id_token_hash_key" ON "invitations" ("workspace_id", "token_hash");
