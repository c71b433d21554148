import { redirect } from "next/navigation";

/** The sources are the front door: whether all is well shows there. */
export default function RootPage() {
  redirect("/sources");
}
