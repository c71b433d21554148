/** What a feed's or run's error means and what to do, where its message has not said so already. */
type Explanation = { meaning: string; advice: string };

const BY_CODE: Record<string, Explanation> = {
  unavailable: {
    meaning: "Its server has trouble or cannot be reached.",
    advice: "Mostly this passes by itself; Tidemark tries again, less often the longer it lasts.",
  },
  not_found: {
    meaning: "Nothing is at this address any more, or not at the moment.",
    advice: "Open the address in a browser. If the feed moved, add it at its new address.",
  },
  gone: {
    meaning: "The upstream says that this feed was removed for good.",
    advice: "Its documents stay here. Delete the feed when you no longer need them.",
  },
  unauthorized: {
    meaning: "It wants a user name and password, or refused the ones it got.",
    advice: "Edit the source and give it new ones.",
  },
  forbidden: {
    meaning: "It may block automated readers, or the content is behind a paywall.",
    advice: "Open the address in a browser; if it works there, ask the site to let Tidemark in.",
  },
  not_a_feed: {
    meaning: "What came back is no feed; often a web page or an error page.",
    advice: "Check the address. Adding the site anew finds its current feeds.",
  },
  malformed: {
    meaning: "It is a feed, but broken so that nothing certain can be read from it.",
    advice: "The site has to mend it; the next sync tries again.",
  },
  too_large: {
    meaning: "The answer is larger than Tidemark reads.",
    advice: "See whether the site offers a smaller feed.",
  },
  too_slow: {
    meaning: "It did not answer in time.",
    advice: "Tidemark tries again, less often the longer it lasts.",
  },
  blocked_address: {
    meaning: "The address leads into a private network, which is not read unless allowed.",
    advice: "If it is yours, name its network in TIDEMARK_ALLOW_PRIVATE_NETWORKS and restart the server.",
  },
  too_many_redirects: {
    meaning: "The address sends readers in circles.",
    advice: "Open it in a browser and add the address where you end up.",
  },
  invalid_url: {
    meaning: "The address cannot be read as one.",
    advice: "Add the feed anew at its right address.",
  },
};

export function explainUpstream(
  error: { code: string; message: string; origin: string },
  status?: string,
): Explanation {
  if (status === "rate_limited") return { meaning: "", advice: "" };
  if (error.origin === "tidemark") {
    return {
      meaning: "The fault is on this side, not the upstream's.",
      advice: "The server's log says more.",
    };
  }
  const known = BY_CODE[error.code] ?? { meaning: "", advice: "" };
  // Adapters may already say it all; saying it twice helps nobody.
  return error.message.includes(known.meaning) ? { meaning: "", advice: known.advice } : known;
}
