// How something is done elsewhere than in the console.

export interface Way {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base address, with its query. */
  path: string
  body?: unknown
  typescript: string
  /** After `selvedge`; none where the command line has no such command. */
  command?: string | undefined
  /** With the operator's key instead of an organization's. */
  isOperator?: true | undefined
}
