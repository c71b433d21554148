import { z } from "zod";
import { shortText } from "@/server/inputs";
import { MAX_RETENTION_DAYS } from "./choices";

const days = z.int().min(1).max(MAX_RETENTION_DAYS);

/** What is left out stays as it is. */
export const updateSettingsInput = z
  .object({
    /** Days for which the change feed still tells of a delete. */
    retentionDays: days.optional(),
    /** Days for which runs, their events and what is told beside them are kept. */
    runRetentionDays: days.optional(),
  })
  .refine((input) => Object.values(input).some((value) => value !== undefined), "Say what is to change.");

export const renameWorkspaceInput = z.object({ name: shortText(100) });
