declare module 'jsurl' {
  const JSURL: {
    stringify(value: unknown): string
    tryParse(text: string, fallback?: unknown): unknown
  }
  export default JSURL
}
