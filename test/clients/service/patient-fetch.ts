// A local start goes through wrangler's proxy, which now and then sends a call into a connection that the Worker's side has closed
// after five idle seconds, most of all on a busy machine (cloudflare/workers-sdk#15317). Such a call has reached nobody: it is sent
// again. Importing this file does so for every fetch of the process.

const direct = globalThis.fetch

export const LOST = 'Error: Network connection lost.'

async function isLost(response: Response): Promise<boolean> {
  if (response.status !== 500 || !response.headers.get('Content-Type')?.startsWith('text/plain')) return false
  return (await response.clone().text()).startsWith(LOST)
}

globalThis.fetch = async (input, init) => {
  // What is a stream cannot be sent twice.
  const repeats = !(init?.body instanceof ReadableStream) && !(input instanceof Request)
  let response = await direct(input, init)
  while (repeats && (await isLost(response))) response = await direct(input, init)
  return response
}
