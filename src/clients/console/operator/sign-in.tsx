// How people get into an organization: its identity provider, and one-time links for a new password.
import { useState } from 'preact/hooks'
import type { IdentityProvider } from '../../typescript/index.ts'
import { Copy } from '../components/copy.tsx'
import { Confirm } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { issuedLink, useIssued } from '../components/issued.tsx'
import { Shown } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { isMissing } from '../state/fault-words.ts'
import { BASE_URL } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { useLoad } from '../state/use-load.ts'
import type { OfOrg } from './frame.tsx'

export function SignInSettings(of: OfOrg) {
  return (
    <>
      <Provider {...of} />
      <PasswordLink {...of} />
    </>
  )
}

function Provider({ operator, slug }: OfOrg) {
  const provider = useLoad(`provider ${slug}`, async signal => {
    const { id } = await operator.getOrg({ slug, signal })
    const callbackUrl = `${BASE_URL}/auth/sso/callback/${id}`
    try {
      return { callbackUrl, known: await operator.getIdentityProvider({ slug, signal }) }
    } catch (error) {
      if (isMissing(error)) return { callbackUrl, known: undefined }
      throw error
    }
  })
  return (
    <section class="panel stack" aria-labelledby="provider">
      <h2 id="provider">Single sign-on</h2>
      <Shown of={provider} lines={3}>
        {({ callbackUrl, known }) => (
          <ProviderForm
            key={known?.updatedOn ?? ''}
            operator={operator}
            slug={slug}
            callbackUrl={callbackUrl}
            known={known}
            changed={() => void provider.reload()}
          />
        )}
      </Shown>
    </section>
  )
}

interface ProviderFormProps extends OfOrg {
  callbackUrl: string
  known: IdentityProvider | undefined
  changed(): void
}

function ProviderForm({ operator, slug, callbackUrl, known, changed }: ProviderFormProps) {
  const [issuer, setIssuer] = useState(known?.issuer ?? '')
  const [clientId, setClientId] = useState(known?.clientId ?? '')
  const [clientSecret, setSecret] = useState('')
  const [allowSignUp, setSignUp] = useState(known?.allowSignUp ?? false)
  const [isRemoving, setRemoving] = useState(false)
  const { fault, isBusy, onSubmit } = useForm(async () => {
    await operator.setIdentityProvider({ slug, issuer, clientId, clientSecret, allowSignUp })
    tell('The identity provider is set.')
    changed()
  })
  const remove = async () => {
    await attempt('It was not removed', () => operator.deleteIdentityProvider({ slug }))
    changed()
  }
  return (
    <form class="stack" onSubmit={onSubmit}>
      <p class="soft">
        {known ? (
          <>
            Set <Time at={known.updatedOn} />. People sign in by password as well.
          </>
        ) : (
          'None: people sign in by password. Any provider of OpenID Connect will do.'
        )}
      </p>
      <p class="line">
        <span>
          Redirect address to register there: <code>{callbackUrl}</code>
        </span>
        <Copy text={callbackUrl} what="the redirect address" />
      </p>
      <div class="pair">
        <TextField
          label="Issuer"
          hint="https; the rest is found by discovery below it."
          type="url"
          required
          placeholder="https://login.example.com"
          value={issuer}
          set={setIssuer}
        />
        <TextField label="Client id" required value={clientId} set={setClientId} />
        <TextField
          label="Client secret"
          hint={known ? 'The one in force is not shown: give it again to change anything.' : ''}
          type="password"
          autoComplete="off"
          required
          value={clientSecret}
          set={setSecret}
        />
        <label class="choice">
          <input type="checkbox" checked={allowSignUp} onChange={event => setSignUp(event.currentTarget.checked)} />A
          first sign-in makes a member
        </label>
      </div>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <div class="line">
        <button type="submit" disabled={isBusy}>
          {known ? 'Replace the provider' : 'Set the provider'}
        </button>
        {known && (
          <button type="button" class="danger" onClick={() => setRemoving(true)}>
            Remove it
          </button>
        )}
      </div>
      {isRemoving && (
        <Confirm title="Remove single sign-on?" act="Remove it" close={() => setRemoving(false)} run={remove}>
          <p>Whoever has no password here needs a one-time link to get in again.</p>
        </Confirm>
      )}
    </form>
  )
}

function PasswordLink({ operator, slug }: OfOrg) {
  const [email, setEmail] = useState('')
  const { show, issued } = useIssued()
  const { fault, isBusy, onSubmit } = useForm(async () => {
    show(issuedLink(email, (await operator.passwordReset({ slug, email })).resetUrl))
  })
  return (
    <section class="panel stack" aria-labelledby="password-link">
      <h2 id="password-link">A new password for somebody</h2>
      <form class="line" onSubmit={onSubmit}>
        <TextField label="Email of the member" fault={fault} type="email" required value={email} set={setEmail} />
        <button type="submit" disabled={isBusy}>
          Make a one-time link
        </button>
      </form>
      {issued}
    </section>
  )
}
