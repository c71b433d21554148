/**
 * Puts text on the clipboard. Plain http away from localhost has no Clipboard API, which is where many
 * self-hosted dashboards live, so a selected textarea is the second way.
 * @returns whether it worked.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    const worked = document.execCommand("copy");
    area.remove();
    return worked;
  }
}
