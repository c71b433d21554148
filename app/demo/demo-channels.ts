import type { DemoChannel } from "./demo-items";

const BOATS = ["Ebb", "Flood", "Slack Water", "Neap", "Spring Tide", "Leeward", "Bight", "Fetch"];
const CARGOES = ["oak planks", "sea salt", "wool", "lamp oil", "slate", "barley", "rope", "empty crates"];
const WINDS = ["light airs", "a gentle breeze", "a fresh breeze", "a near gale", "a gale", "calm"];
const QUARTERS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

export const harbourNotes: DemoChannel = {
  slug: "harbour",
  title: "Harbour Notes",
  description: "Who came in, who went out, and what they carried.",
  author: "The harbour master",
  stepMinutes: 20,
  length: 40,
  editedEvery: 5,
  write(number) {
    const boat = pick(BOATS, number);
    const cargo = pick(CARGOES, number * 3 + 1);
    const berth = 1 + (number % 12);
    return {
      title: `${boat} makes fast at berth ${berth}`,
      html: `<p>The <em>${boat}</em> came in with the tide, carrying ${cargo}, and lies at berth ${berth}.</p>`,
    };
  },
};

export const lighthouseLog: DemoChannel = {
  slug: "lighthouse",
  title: "Lighthouse Log",
  description: "Weather and traffic, written down once a watch.",
  author: "The keeper",
  stepMinutes: 60,
  length: 48,
  editedEvery: 4,
  write(number, published) {
    const wind = pick(WINDS, number);
    const quarter = pick(QUARTERS, Math.floor(number / 3));
    const sails = 1 + (number % 7);
    return {
      title: `Watch of ${published.toISOString().slice(0, 16).replace("T", " ")}: ${wind}`,
      html: `<p>Wind: ${wind} from the ${quarter}. ${sails} sail in sight at the turn of the watch.</p>`,
    };
  },
};

export const tideTables: DemoChannel = {
  slug: "tides",
  title: "Tide Tables",
  description: "High water at the bar, half a day at a time.",
  author: "The tide office",
  stepMinutes: 720,
  length: 28,
  editedEvery: 6,
  write(number) {
    const height = (3.2 + 1.4 * Math.cos((number / 29.53) * Math.PI)).toFixed(1);
    const kind =
      Number(height) > 4 ? "a spring tide" : Number(height) < 2.4 ? "a neap tide" : "an ordinary tide";
    return {
      title: `High water ${height} m`,
      html: `<p>The tide reached ${height} metres at the bar: ${kind}.</p>`,
    };
  },
};

export const channels = [harbourNotes, lighthouseLog, tideTables];

function pick(words: string[], number: number): string {
  return words[number % words.length] as string;
}
