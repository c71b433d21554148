import { Download } from "lucide-react";
import { buttonClass } from "@/components/button-class";

/** A list as a file. Not a Link: there is nothing to fetch ahead. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a href={href} download className={buttonClass("secondary")}>
      <Download aria-hidden size={14} />
      CSV
    </a>
  );
}
