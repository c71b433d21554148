const WORDS: Record<string, string> = {
  "feed.add": "added the feed",
  "feed.create": "added the feed",
  "feed.delete": "deleted the feed",
  "feed.disabled": "disabled the feed",
  "feed.move": "changed the address of",
  "feed.pause": "paused",
  "feed.paused": "paused after failures",
  "feed.redirect_adopted": "took over the new address of",
  "feed.reset": "reset the cursor of",
  "feed.resume": "resumed",
  "feed.update": "edited",
  "held_delete.approve": "approved held deletes of",
  "held_delete.dismiss": "dismissed held deletes of",
  "rejection.discard": "discarded a rejected document of",
  "source.create": "connected",
  "source.delete": "deleted the source",
  "source.pause": "paused the source",
  "source.resume": "resumed the source",
  "source.update": "edited the source",
  "store.restore": "restored a backup",
  "token.create": "created a token",
  "token.revoke": "revoked a token",
  "user.create": "added a person",
  "user.change_password": "changed their password",
  "user.reset_password": "reset a password",
  "user.sign_out_everywhere": "signed out everywhere",
  "workspace.create": "made the workspace",
  "workspace.update_settings": "changed how long things are kept",
};

/** "paused", to stand between who did it and what it was done to. */
export function actInWords(action: string): string {
  return WORDS[action] ?? action.replaceAll(/[._]/g, " ");
}
