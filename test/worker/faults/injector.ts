// Lets one call to D1, R2, a queue or a Durable Object fail, before or after it took effect: the n-th that a piece of work makes.
import { onTestFinished, vi } from 'vitest'
import { SearchObject } from '../../../src/features/search/search-object.ts'
import { Database } from '../../../src/platform/db/client.ts'
import type { Env } from '../../../src/platform/env.ts'
import { WatchObject } from '../../../src/platform/wake/watch-object.ts'
import { env } from '../api.ts'

export type Moment = 'before' | 'after'
export const MOMENTS: readonly Moment[] = ['before', 'after']

/** As D1, R2, queues and objects say it when a connection breaks. */
export const LOST = 'Network connection lost.'

type Work<T> = () => Promise<T>
type Callable = (...args: unknown[]) => unknown

export class Injector {
  /** The bindings with the fault in them. Messages and wake-ups go nowhere: nothing runs beside what is looked at. */
  readonly env: Env
  #target = 0
  #moment: Moment = 'before'
  #calls = 0
  /** What was hit, if anything was. */
  hit: string | undefined

  constructor() {
    const { batch } = Database.prototype
    const point = <T>(name: string, work: Work<T>) => this.#point(name, work)
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(function (this: Database, statements) {
      return point('D1', () => batch.call(this, statements)) as never
    })
    const silent = [
      vi.spyOn(console, 'error').mockReturnValue(),
      vi.spyOn(WatchObject.prototype, 'watch').mockResolvedValue(),
      vi.spyOn(WatchObject.prototype, 'keep').mockResolvedValue(),
      vi.spyOn(SearchObject.prototype, 'wake').mockResolvedValue(),
      ...[env.LOAD_QUEUE, env.STEP_QUEUE, env.CALL_QUEUE].flatMap(queue => [
        vi.spyOn(queue, 'send').mockResolvedValue(undefined as never),
        vi.spyOn(queue, 'sendBatch').mockResolvedValue(undefined as never),
      ]),
    ]
    onTestFinished(() => {
      for (const one of [spy, ...silent]) one.mockRestore()
    })
    const nowhere = { send: async () => undefined, sendBatch: async () => undefined }
    const asleep = {
      watch: nothing,
      keep: nothing,
      rest: async () => true,
      wokenOn: async () => 0,
      noteWoken: nothing,
      forget: nothing,
    }
    this.env = {
      ...env,
      FILES: this.#bucket(env.FILES),
      ...(env.BACKUPS && { BACKUPS: this.#bucket(env.BACKUPS) }),
      LOAD_QUEUE: this.#wrapped('queue', nowhere) as never,
      STEP_QUEUE: this.#wrapped('queue', nowhere) as never,
      CALL_QUEUE: this.#wrapped('queue', nowhere) as never,
      WATCH: this.#namespace(() => asleep),
      SEARCH: this.#namespace(() => ({ wake: nothing })),
      TASKS: this.#namespace(name => env.TASKS.getByName(name)),
      HASHING: this.#namespace(name => env.HASHING.getByName(name)),
    }
  }

  /** Does the work with its n-th call failing; whether there was an n-th call. */
  async during<T>(n: number, moment: Moment, work: Work<T>): Promise<T> {
    this.#target = n
    this.#moment = moment
    this.#calls = 0
    this.hit = undefined
    try {
      return await work()
    } finally {
      this.#target = 0
    }
  }

  async #point<T>(name: string, work: Work<T>): Promise<T> {
    if (this.#target === 0 || ++this.#calls !== this.#target) return work()
    this.hit = name
    if (this.#moment === 'after') await work()
    throw new Error(name === 'D1' ? `D1_ERROR: ${LOST}` : LOST)
  }

  #wrapped<T extends object>(name: string, subject: T, special: Record<string, Callable> = {}): T {
    return new Proxy(subject, {
      get: (target, property) => {
        const own = special[String(property)]
        if (own) return own
        const value = Reflect.get(target, property) as unknown
        if (typeof value !== 'function') return value
        return (...args: unknown[]) =>
          this.#point(name, async () => (value as Callable).apply(target, args) as Promise<unknown>)
      },
    })
  }

  #bucket(bucket: R2Bucket): R2Bucket {
    return this.#wrapped('R2', bucket, {
      resumeMultipartUpload: (...args) =>
        this.#wrapped('R2', bucket.resumeMultipartUpload(...(args as [string, string]))),
      createMultipartUpload: async (...args) => {
        const upload = await this.#point('R2', () => bucket.createMultipartUpload(args[0] as string))
        return this.#wrapped('R2', upload)
      },
    })
  }

  #namespace(stubOf: (name: string) => object): never {
    const stub = (name: string) => this.#object(stubOf(name))
    return { getByName: stub, get: stub, idFromName: (name: string) => name } as never
  }

  /** A method of a stub must be called on the stub. */
  #object(stub: object): object {
    return new Proxy(
      {},
      {
        get:
          (_, property) =>
          (...args: unknown[]) =>
            this.#point(
              'object',
              async () => (stub as Record<PropertyKey, Callable>)[property]?.(...args) as Promise<unknown>,
            ),
      },
    )
  }
}

const nothing = async () => undefined
