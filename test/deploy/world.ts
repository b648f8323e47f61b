// A stand-in of Cloudflare, an empty account, a fresh clone, and the address where the deployed Worker answers.
import { Clone, type Outcome } from './clone.ts'
import { ACCOUNT_ID } from './stand-in/account.ts'
import { Deployed } from './stand-in/deployed.ts'
import { StandIn } from './stand-in/server.ts'

export class World {
  readonly standIn = new StandIn()
  readonly clone: Clone
  readonly deployed: Deployed
  origin = ''

  private constructor(apiUrl: string, standIn: StandIn) {
    this.standIn = standIn
    this.clone = new Clone(apiUrl)
    this.deployed = new Deployed(standIn.account, this.clone.folder)
  }

  static async open(): Promise<World> {
    const standIn = new StandIn()
    const world = new World(await standIn.start(), standIn)
    world.origin = await world.deployed.start()
    return world
  }

  async close(): Promise<void> {
    await this.deployed.stop()
    await this.standIn.stop()
    this.clone.remove()
  }

  get account() {
    return this.standIn.account
  }

  /** Where the secrets are kept that a deploy of this Worker has made. */
  secretsFile(worker = 'selvedge', accountId = ACCOUNT_ID): string {
    return `.secrets/${worker}.${accountId}.env`
  }

  /** `npm run deploy -- …`, with the calls that it made. */
  async deploy(
    args: string[] = [],
    variables: Record<string, string> = {},
    from?: AbortSignal,
  ): Promise<Outcome & { calls: string[] }> {
    this.standIn.calls = []
    const outcome = await this.clone.deploy(['--url', this.origin, '--patience', '10', ...args], variables, from)
    return { ...outcome, calls: this.standIn.calls }
  }
}
