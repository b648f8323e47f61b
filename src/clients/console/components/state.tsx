// The state of something: a shape and a word, never color alone.

const LOOKS: Record<string, 'done' | 'failed' | 'waiting' | 'running'> = {
  complete: 'done',
  completed: 'done',
  delivered: 'done',
  ready: 'done',
  failed: 'failed',
  error: 'failed',
  awaiting: 'waiting',
  warning: 'waiting',
  pending: 'waiting',
  active: 'running',
  running: 'running',
}

export function State({ is }: { is: string }) {
  return <span class={`state ${LOOKS[is] ?? ''}`}>{is}</span>
}
