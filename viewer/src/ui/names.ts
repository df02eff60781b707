// What people are called: population and number, as the command line prints them, "2.17"; files hold both as one number.

const ORDINAL_BITS = 22;

export function nameOf(id: number): string {
  return `${id >>> ORDINAL_BITS}.${id & ((1 << ORDINAL_BITS) - 1)}`;
}

/** The person that is meant: by name, or by the number that recordings hold. */
export function idOf(text: string): number | null {
  const [, population, ordinal] = /^\s*(\d+)\.(\d+)\s*$/.exec(text) ?? [];
  if (ordinal !== undefined) return Number(population) * 2 ** ORDINAL_BITS + Number(ordinal);
  return /^\s*\d+\s*$/.test(text) ? Number(text) : null;
}
