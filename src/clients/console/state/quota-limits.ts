// Limits as the operator types them. Pure.

/** Nothing typed brings back the usual one. */
export const isUsualText = (text: string) => text.trim() === ''

export const limitsOf = (typed: Readonly<Record<string, string>>): Record<string, number | null> =>
  Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, isUsualText(text) ? null : Number(text)]))
