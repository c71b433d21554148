-- Deleting in one place: what a tombstone keeps is said once, and no row that is not live keeps more.

-- Nothing that any version wrote should need this; a row that does must not stop the constraint below.
UPDATE "documents"
   SET "url" = NULL, "author" = NULL, "date" = NULL, "content_hash" = NULL, "revision" = NULL
 WHERE "state" <> 'live'
   AND num_nonnulls("url", "author", "date", "content_hash", "revision") > 0;

ALTER TABLE "documents" DROP CONSTRAINT "documents_state_shape";
ALTER TABLE "documents" ADD CONSTRAINT "documents_state_shape" CHECK (
  CASE "state"
    WHEN 'live' THEN "seq" IS NOT NULL AND "external_id" IS NOT NULL AND "delete_kind" IS NULL
    ELSE "delete_kind" IS NOT NULL
      AND num_nonnulls("title", "text", "metadata", "url", "author", "date", "content_hash", "revision") = 0
      AND CASE "state"
        WHEN 'tombstone' THEN "seq" IS NOT NULL AND "external_id" IS NOT NULL
        ELSE num_nonnulls("seq", "external_id", "key") = 0
      END
  END);

-- Turns live documents into tombstones. The caller holds the lock of their feed, counts what it is told
-- and chose the rows in an earlier statement. A tombstone that was sent is upsert_documents()' own.
--
-- By array, not by a join: a look-up per key whatever the table's statistics say.
CREATE FUNCTION "tombstone_documents"(
  the_workspace INTEGER, doomed TEXT[], the_kind "DeleteKind", the_run TEXT
) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  tombstoned INTEGER;
BEGIN
  UPDATE documents d
     SET state = 'tombstone', delete_kind = the_kind, seq = nextval('document_seq'), changed_at = now(),
         title = NULL, text = NULL, metadata = NULL, url = NULL, author = NULL, date = NULL,
         content_hash = NULL, revision = NULL, last_run_id = the_run
   WHERE d.workspace_id = the_workspace AND d.id = ANY (doomed) AND d.state = 'live';
  GET DIAGNOSTICS tombstoned = ROW_COUNT;
  RETURN tombstoned;
END $$;
