// Light, dark, or as the system says.
import { effect, signal } from '@preact/signals'
import { keep, kept } from './kept.ts'

export type Theme = 'system' | 'light' | 'dark'
const THEMES: readonly Theme[] = ['system', 'light', 'dark']

export const theme = signal<Theme>(kept<Theme>('theme', 'system'))

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
  keep('theme', theme.value === 'system' ? undefined : theme.value)
})

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
}
