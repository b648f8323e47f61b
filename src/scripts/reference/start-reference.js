// Starts the viewer. Nothing is asked of other hosts, and no key outlives the page.
const start = content => {
  // The viewer tells its sorter no more than path and method; the order itself stands in the document.
  const orderOf = ({ path, method }) => content.paths[path]?.[method.toLowerCase()]?.['x-order'] ?? 0
  Scalar.createApiReference('#reference', {
    content,
    theme: 'none',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    persistAuth: false,
    authentication: { preferredSecurityScheme: [['apiKey', 'organization']] },
    hideClientButton: true,
    hideModels: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'json',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    operationsSorter: (one, other) => orderOf(one) - orderOf(other),
  })
}

fetch('/openapi.json')
  .then(answer => answer.json())
  .then(start)
