// What the pages do with a script: copy buttons on code, and the search. Without it they can be read as well.

for (const figure of document.querySelectorAll('figure')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const text = figure.querySelector('pre')?.textContent ?? ''
    try {
      await navigator.clipboard.writeText(text.trimEnd())
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Press Ctrl+C'
      getSelection()?.selectAllChildren(figure.querySelector('pre') ?? figure)
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  figure.append(button)
}

const MOST = 8
const SNIPPET = 140

const search = document.querySelector('.search')
const input = search.querySelector('input')
const found = search.querySelector('.found')
let sections

/** [address, title of the page, heading, text] of each section, fetched when somebody first searches. */
async function index() {
  sections ??= fetch('/docs/search.json').then(answer => answer.json())
  return await sections
}

const wordsOf = text => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean)

/** 0 where a word is missing; a word in a heading counts more than one in the text. */
function scoreOf([, title, heading, text], words) {
  const [inHeading, inTitle, inText] = [heading, title, text].map(part => part.toLowerCase())
  let score = 0
  for (const word of words) {
    const own =
      (inHeading.includes(word) ? 8 : 0) + (inTitle.includes(word) ? 4 : 0) + Math.min(3, inText.split(word).length - 1)
    if (own === 0) return 0
    score += own
  }
  return score + (title === heading ? 1 : 0)
}

function snippet(text, words) {
  const lower = text.toLowerCase()
  const at = Math.max(0, ...words.map(word => lower.indexOf(word)))
  const start = at > SNIPPET / 2 ? text.indexOf(' ', at - SNIPPET / 2) + 1 : 0
  const line = document.createElement('span')
  const cut = (start ? '… ' : '') + text.slice(start, start + SNIPPET)
  const pattern = new RegExp(`(${words.join('|')})`, 'giu')
  for (const [place, part] of cut.split(pattern).entries()) {
    const piece = document.createElement(place % 2 ? 'mark' : 'span')
    piece.textContent = part
    line.append(piece)
  }
  return line
}

function show(hits, words) {
  found.replaceChildren()
  for (const [address, title, heading, text] of hits) {
    const link = document.createElement('a')
    link.href = address
    const head = document.createElement('strong')
    head.textContent = title === heading ? title : `${title} › ${heading}`
    link.append(head, snippet(text, words))
    found.append(link)
  }
  if (hits.length === 0) {
    const none = document.createElement('p')
    none.textContent = `No page has "${input.value.trim()}".`
    found.append(none)
  }
  found.hidden = false
}

/** The best ones, and of one page no more than two. */
function few(hits) {
  const perPage = new Map()
  return hits
    .filter(([, title]) => {
      perPage.set(title, (perPage.get(title) ?? 0) + 1)
      return perPage.get(title) <= 2
    })
    .slice(0, MOST)
}

async function look() {
  const words = wordsOf(input.value)
  if (words.length === 0) {
    found.hidden = true
    return
  }
  const asked = input.value
  const hits = (await index())
    .map(section => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ section }) => section)
  if (asked === input.value) show(few(hits), words)
}

search.hidden = false
input.addEventListener('focus', index, { once: true })
input.addEventListener('input', look)

search.addEventListener('keydown', event => {
  const links = [...found.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    found.hidden = true
    input.focus()
  } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
  else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus()
  else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
  else return
  event.preventDefault()
})

document.addEventListener('keydown', event => {
  const isTyping = event.target.closest?.('input, textarea, select')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
})

document.addEventListener('click', event => {
  if (!search.contains(event.target)) found.hidden = true
})
