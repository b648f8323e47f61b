// The console's entry: who is it, then the frame and the page of the address.
import { render } from 'preact'
import { App } from './app.tsx'
import { askWhoIAm } from './state/session.ts'
import './state/theme.ts'
import './style/tokens.css'
import './style/base.css'
import './style/frame.css'
import './style/parts.css'
import './style/pages.css'

const place = document.getElementById('console')
if (place) render(<App />, place)
void askWhoIAm()
