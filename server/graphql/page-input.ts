import { z } from "zod";
import { pageFields } from "@/server/inputs";

/** Of lists that take nothing else. */
export const pageInput = z.object(pageFields);
