import { NothingHere } from "@/app/_shared/nothing-here";

/** For things that are not there, or not this workspace's. */
export default function NotFound() {
  return (
    <div className="mx-auto max-w-md py-[12vh]">
      <title>Not found · Tidemark</title>
      <NothingHere />
    </div>
  );
}
