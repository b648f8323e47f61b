// Which page an address shows. Everything but the frame and the doors is loaded when it is first needed.
import type { ComponentType } from 'preact'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import { Boundary, Failed } from './components/boundary.tsx'
import { Cover } from './components/cover.tsx'
import { Page } from './components/page.tsx'
import { ErrorPanel, Skeleton } from './components/shown.tsx'
import { ToastList } from './components/toast-list.tsx'
import { Frame } from './frame/frame.tsx'
import { HOME } from './state/address.ts'
import { askWhoIAm, me, meFault, whoWasHere } from './state/session.ts'

/** A piece that is gone, as after a deployment, is told. */
const later = <P,>(load: () => Promise<ComponentType<P>>) =>
  lazy<ComponentType<P>>(() => load().catch((error: unknown) => () => <Failed error={error} />))

const Home = later(() => import('./home/home.tsx').then(page => page.Home))
const Entities = later(() => import('./product/entities.tsx').then(page => page.Entities))
const EntityPage = later(() => import('./product/entity.tsx').then(page => page.EntityPage))
const History = later(() => import('./history/history.tsx').then(page => page.History))
const Work = later(() => import('./work/work.tsx').then(page => page.Work))
const Run = later(() => import('./work/run.tsx').then(page => page.Run))
const Loads = later(() => import('./imports/loads.tsx').then(page => page.Loads))
const NewLoad = later(() => import('./imports/new-load.tsx').then(page => page.NewLoad))
const Load = later(() => import('./imports/load.tsx').then(page => page.Load))
const Revert = later(() => import('./imports/revert.tsx').then(page => page.Revert))
const Files = later(() => import('./files/files.tsx').then(page => page.Files))
const Types = later(() => import('./types/type-tree.tsx').then(page => page.Types))
const TypePage = later(() => import('./types/type.tsx').then(page => page.TypePage))
const Settings = later(() => import('./settings/settings.tsx').then(page => page.Settings))
const Operator = later(() => import('./operator/operator.tsx').then(page => page.OperatorPage))
const SignIn = later(() => import('./sign-in/sign-in.tsx').then(page => page.SignIn))
const Invitation = later(() => import('./sign-in/invitation.tsx').then(page => page.Invitation))
const PasswordReset = later(() => import('./sign-in/password-reset.tsx').then(page => page.PasswordReset))
const SsoReturn = later(() => import('./sign-in/sso-return.tsx').then(page => page.SsoReturn))

/** Addresses that need nobody to be signed in. */
const DOORS = ['invitation', 'password-reset', 'sso', 'operator'].map(name => `${HOME}/${name}`)

export function App() {
  return (
    <LocationProvider scope={HOME}>
      <ErrorBoundary>
        <Entrance />
      </ErrorBoundary>
      <ToastList />
    </LocationProvider>
  )
}

function Entrance() {
  const { path } = useLocation()
  return (
    <Boundary at={path}>
      <Door />
    </Boundary>
  )
}

function Door() {
  const { path } = useLocation()
  if (DOORS.some(door => path === door || path.startsWith(`${door}/`))) return <Doors />
  if (meFault.value !== undefined) {
    return (
      <div class="door">
        <main>
          <ErrorPanel error={meFault.value} again={() => void askWhoIAm()} />
        </main>
      </div>
    )
  }
  if (me.value === undefined) return <Skeleton />
  if (me.value === null && !whoWasHere()) return <SignIn />
  return (
    <>
      <Frame>
        <Boundary at={path}>
          <Pages />
        </Boundary>
      </Frame>
      {me.value === null && (
        <Cover>
          <SignIn />
        </Cover>
      )}
    </>
  )
}

function Doors() {
  return (
    <Router>
      <Route path="/console/invitation" component={Invitation} />
      <Route path="/console/password-reset" component={PasswordReset} />
      <Route path="/console/sso" component={SsoReturn} />
      <Route path="/console/operator/*" component={Operator} />
      <Route path="/console/operator" component={Operator} />
    </Router>
  )
}

function Pages() {
  return (
    <Router>
      <Route path="/console" component={Home} />
      <Route path="/console/entities/:kind" component={Entities} />
      <Route path="/console/entities/:kind/:id" component={EntityPage} />
      <Route path="/console/history" component={History} />
      <Route path="/console/work" component={Work} />
      <Route path="/console/runs/:id" component={Run} />
      <Route path="/console/loads" component={Loads} />
      <Route path="/console/loads/new" component={NewLoad} />
      <Route path="/console/loads/:id" component={Load} />
      <Route path="/console/reverts/:id" component={Revert} />
      <Route path="/console/files" component={Files} />
      <Route path="/console/types" component={Types} />
      <Route path="/console/types/:typePath" component={TypePage} />
      <Route path="/console/settings/:part" component={Settings} />
      <Route default component={Nowhere} />
    </Router>
  )
}

function Nowhere() {
  return (
    <Page title="There is no such page">
      <p>
        The address may be mistyped. <a href={`${HOME}/`}>Go to Home</a>.
      </p>
    </Page>
  )
}
