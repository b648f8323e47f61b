// What a revert has left alone, on its way through R2 to its report. A repeated step writes the same object again.
import type { LoadScope } from '../loads/checkpoint.ts'
import type { RevertIssue } from './contract.ts'
import type { Revert } from './state.ts'

export class IssueStore {
  readonly #bucket: R2Bucket
  readonly #prefix: string

  constructor(bucket: R2Bucket, orgId: string, revertId: string) {
    this.#bucket = bucket
    this.#prefix = `${orgId}/loads/${revertId}/`
  }

  async write(pass: number, part: number, issues: readonly RevertIssue[]): Promise<void> {
    await this.#bucket.put(`${this.#prefix}left-${pass}-${part}`, JSON.stringify(issues))
  }

  async *read(pass: number, parts: number): AsyncGenerator<RevertIssue[]> {
    for (let part = 0; part < parts; part++) {
      const object = await this.#bucket.get(`${this.#prefix}left-${pass}-${part}`)
      if (!object) throw new Error(`the revert has lost part ${part} of its issues`)
      yield await object.json<RevertIssue[]>()
    }
  }
}

export const issuesOf = ({ env, org }: LoadScope, { id }: Pick<Revert, 'id'>) => new IssueStore(env.FILES, org.id, id)
