// Texts of others inside of lines to copy: a shell and TypeScript read them back as they are. Pure.

export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Quoted only where it must be. */
export const shellWord = (text: string) => (/^[\w@%+:,./-]+$/.test(text) ? text : quoted(text))

export const codeText = (text: string) => (/^[\w@ :,./-]*$/.test(text) ? `'${text}'` : JSON.stringify(text))
