// Starts the viewer. Nothing is asked of other hosts, and no key outlives the page.
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
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
  operationsSorter: (one, other) => one.operation['x-order'] - other.operation['x-order'],
})
