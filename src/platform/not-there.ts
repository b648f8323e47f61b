/** A condition of R2: only where there is no such object yet. Of two that write at once, one does. */
export const NOT_THERE = new Headers({ 'If-None-Match': '*' })
