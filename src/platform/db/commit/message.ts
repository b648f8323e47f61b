// Names of fields inside the message of a refused batch: slugs are the callers', and none may break the message apart.

export const inMessage = (field: string) => encodeURIComponent(field).replaceAll("'", '%27')
export const fromMessage = (text: string) => decodeURIComponent(text)
