// Measurements over time, in bounded memory: when they are too many, every second one goes.

export class Series {
  time: number[] = [];
  values: number[][];
  /** Seconds between two that are kept. */
  private apart = 0;

  constructor(
    readonly columns: string[],
    private most = 1200,
  ) {
    this.values = columns.map(() => []);
  }

  /** Adds what was measured; what is later than that was of another pass over the recording and goes. */
  add(time: number, ...measured: number[]): void {
    while (this.time.length && this.time[this.time.length - 1] >= time) this.pop();
    if (this.time.length && time - this.time[this.time.length - 1] < this.apart) return;
    this.time.push(time);
    this.values.forEach((column, n) => column.push(measured[n]));
    if (this.time.length > this.most) this.thin();
  }

  get last(): number[] {
    return this.values.map((column) => column[column.length - 1] ?? 0);
  }

  clear(): void {
    this.time = [];
    this.values = this.columns.map(() => []);
    this.apart = 0;
  }

  csv(): string {
    const rows = this.time.map((time, n) => [time.toFixed(2), ...this.values.map((column) => +column[n].toFixed(4))].join(","));
    return [["time_s", ...this.columns].join(","), ...rows].join("\n") + "\n";
  }

  private pop(): void {
    this.time.pop();
    for (const column of this.values) column.pop();
  }

  private thin(): void {
    const even = <T>(column: T[]) => column.filter((_, n) => n % 2 === 0);
    this.time = even(this.time);
    this.values = this.values.map(even);
    this.apart = (this.time[this.time.length - 1] - this.time[0]) / this.time.length;
  }
}

/** The newest points of a cloud. */
export class Cloud {
  private xs: Float32Array;
  private ys: Float32Array;
  private added = 0;

  constructor(private most = 3000) {
    this.xs = new Float32Array(most);
    this.ys = new Float32Array(most);
  }

  add(x: number, y: number): void {
    this.xs[this.added % this.most] = x;
    this.ys[this.added % this.most] = y;
    this.added++;
  }

  clear(): void {
    this.added = 0;
  }

  get length(): number {
    return Math.min(this.added, this.most);
  }

  points(): [number, number][] {
    return Array.from({ length: this.length }, (_, n) => [this.xs[n], this.ys[n]]);
  }
}
