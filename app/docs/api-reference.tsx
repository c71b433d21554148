"use client";

import "swagger-ui-dist/swagger-ui.css";
import "./api-reference.css";
import { useEffect, useRef, useState } from "react";
import { readTheme, subscribeTheme } from "@/components/theme";

type State = "loading" | "shown" | "failed";

/** Swagger UI on our own description: nothing is fetched from elsewhere, and no token is kept. */
export function ApiReference() {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>("loading");

  useEffect(() => {
    let isGone = false;
    // A megabyte and a half that no other page needs.
    import("swagger-ui-dist/swagger-ui-es-bundle.js")
      .then(({ default: SwaggerUI }) => {
        if (isGone || !place.current) return;
        SwaggerUI({
          domNode: place.current,
          url: "/api/v1/openapi.json",
          deepLinking: true,
          validatorUrl: null, // the badge would ask a server elsewhere
          persistAuthorization: false,
          defaultModelsExpandDepth: -1,
          plugins: [calmParts],
          onComplete: () => setState("shown"),
        });
      })
      .catch(() => setState("failed"));
    return () => {
      isGone = true;
    };
  }, []);

  useEffect(followTheme, []);

  return (
    <>
      {state === "loading" && (
        <p role="status" aria-label="Loading" className="mt-8 text-ink-muted">
          Loading the reference…
        </p>
      )}
      {state === "failed" && (
        <p role="alert" className="mt-8">
          The reference could not be loaded. Reload the page, or read{" "}
          <a className="underline" href="/api/v1/openapi.json">
            openapi.json
          </a>
          .
        </p>
      )}
      <div ref={place} className="api-reference mt-4" />
    </>
  );
}

/**
 * Two of its parts are ours: this page says what its heading does, and its links inside of buttons cannot
 * be reached by keyboard or named by a screen reader.
 */
const calmParts = () => ({ components: { InfoContainer: Nothing, DeepLink: PlainText } });

function Nothing() {
  return null;
}

function PlainText({ text }: { text: string }) {
  return text;
}

/** Swagger UI is dark by a class on <html>, which the site's own theme does not have. */
function followTheme(): () => void {
  const root = document.documentElement.classList;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const theme = readTheme();
    root.toggle("dark-mode", theme === "dark" || (theme === "system" && system.matches));
  };
  follow();
  const unsubscribe = subscribeTheme(follow);
  system.addEventListener("change", follow);
  return () => {
    unsubscribe();
    system.removeEventListener("change", follow);
    root.remove("dark-mode");
  };
}
