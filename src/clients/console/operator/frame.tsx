// The frame of the operator's pages: where they are, and the way out.
import type { ComponentChildren } from 'preact'
import type { Operator } from '../../typescript/index.ts'
import { HowTo } from '../components/how-to.tsx'
import { Page } from '../components/page.tsx'
import { Layout } from '../frame/layout.tsx'
import { Place } from '../frame/place.tsx'
import { to } from '../state/address.ts'
import { leaveOperator } from '../state/operator.ts'
import { nextTheme, theme } from '../state/theme.ts'
import type { Way } from '../state/way.ts'

/** What every part of this wing is given. */
export interface OfOperator {
  operator: Operator
}

export interface OfOrg extends OfOperator {
  slug: string
}

export function OperatorFrame({ children }: { children: ComponentChildren }) {
  const bar = (
    <>
      <Place href={to.operator} class="">
        Status
      </Place>
      <Place href={to.operatorOrgs} class="">
        Organizations
      </Place>
      <Place href={to.operatorDeliveries} class="">
        Deliveries
      </Place>
    </>
  )
  return (
    <Layout Side={Side} bar={bar}>
      {children}
    </Layout>
  )
}

function Side() {
  return (
    <nav class="side" aria-label="Pages">
      <a class="mark" href={to.operator}>
        Selvedge
      </a>
      <p class="org">operator</p>
      <Place href={to.operator}>Status</Place>
      <Place href={to.operatorOrgs}>Organizations</Place>
      <Place href={to.operatorDeliveries}>Deliveries</Place>
      <Place href={to.operatorBackups}>Backups</Place>
      <Place href={to.operatorAudit}>Audit</Place>
      <h2>Elsewhere</h2>
      <a class="place" href={to.home}>
        Console
      </a>
      <a class="place" href="/docs/deploy">
        Guide
      </a>
      <div class="end">
        <p class="who">Key kept for this tab</p>
        <div class="acts">
          <button type="button" class="link" onClick={nextTheme}>
            Theme: {theme.value}
          </button>
          <button type="button" class="link" onClick={leaveOperator}>
            Forget the key
          </button>
        </div>
      </div>
    </nav>
  )
}

interface OperatorPageProps {
  title: string
  crumbs?: ComponentChildren
  acts?: ComponentChildren
  way: Omit<Way, 'isOperator'>
  children: ComponentChildren
}

export function OperatorPage({ way, children, ...head }: OperatorPageProps) {
  return (
    <Page {...head} isPlain>
      <div class="stack">{children}</div>
      <HowTo way={{ ...way, isOperator: true }} />
    </Page>
  )
}
