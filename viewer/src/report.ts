// What a page says beside its recordings, when it compares several runs or a run with its twins:
// apps/cli/report_page.cpp writes it, as a line of JSON before them.

export interface ReportCurve {
  name: string;
  times: number[];
  values: number[]; // m
}

export interface Mark {
  t: number;
  text: string;
}

export interface Report {
  runs: { label: string; rows: [string, string][] }[]; // the first is the one that the others are compared with
  differences: ReportCurve[];
  marks: Mark[];
}

// The report, where there is one, and the recordings, packed.
export function splitPage(text: string): [Report | null, string[]] {
  const lines = text.trim().split("\n");
  if (!lines[0].startsWith("{")) return [null, lines];
  return [JSON.parse(lines[0]) as Report, lines.slice(1)];
}

// A colour of its own for each run, by its number.
export const runColor = (number: number) => `--run${number % 8}`;
