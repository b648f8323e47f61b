// What a property of type `url` takes, as one pattern: so that a schema can say the same as the service does (N53). Pure.

const USER = '(?:[^/?#\\\\\\s]*@)?'
const HOST = '(?:\\[[0-9a-fA-F:.]+\\]|[^/?#\\\\\\s@:[\\]<>^|]+)'
const PORT = '(?::(?:0*(?:\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]))?)?'

export const WEB_ADDRESS = `^[hH][tT][tT][pP][sS]?://${USER}${HOST}${PORT}(?:[/?#\\\\][\\s\\S]*)?$`

const PATTERN = new RegExp(WEB_ADDRESS, 'u')

export const isWebAddress = (text: string): boolean => PATTERN.test(text)
