// All files share one runtime (isolate: false). The pool (0.22) wraps the prototype of its entry classes in one more Proxy each
// time it makes an instance, so that each queue message would cost more than the one before it: the first wrapping is enough.
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers'

const bases: unknown[] = [DurableObject.prototype, WorkerEntrypoint.prototype]
const wrapped = new WeakSet<object>()

globalThis.Proxy = new Proxy(Proxy, {
  construct(target, [subject, handler]: [object, ProxyHandler<object>]) {
    if (wrapped.has(subject)) return subject
    const made = new target(subject, handler)
    if (bases.includes(Reflect.getPrototypeOf(subject))) wrapped.add(made)
    return made
  },
})
