// Whether the palette is open: the frame, a key and the phone's bar all open it.
import { signal } from '@preact/signals'

export const isPaletteOpen = signal(false)
