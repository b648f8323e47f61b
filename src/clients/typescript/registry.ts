// What a program registers once, and what follows from it for every call (N54).

/** Once in a program: `declare module 'selvedge/client' { interface Registered { entities: { item: { read, create, update, indexed, relations }, … } } }`. */
export interface Registered {
  readonly client: 'selvedge'
}

/** By entity name; `undefined` where nothing is registered. */
export type RegisteredEntities = Registered extends { entities: infer E } ? E : undefined

/** `Any` where nothing is registered. */
export type NameOr<Any> = RegisteredEntities extends undefined ? Any : keyof RegisteredEntities & string
