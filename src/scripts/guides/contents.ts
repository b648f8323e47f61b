// The guides in their order: where each is written, and its address below /docs. A page that stands beside the code it is
// about is used as it is.

export interface Guide {
  /** The page is /docs/<name>. */
  name: string
  /** Relative to the root of the tree. */
  file: string
}

export interface Chapter {
  title: string
  guides: readonly Guide[]
}

const guide = (name: string, file = `src/guides/${name}.md`): Guide => ({ name, file })

export const INDEX = guide('guides', 'src/guides/README.md')

/** Its table of codes is added when the page is made. */
export const ERRORS = guide('errors')

export const CHAPTERS: readonly Chapter[] = [
  { title: 'Start', guides: [guide('quickstart')] },
  {
    title: 'How-to guides',
    guides: [
      guide('loads'),
      guide('undo'),
      guide('files'),
      guide('workflows'),
      guide('events'),
      guide('agents'),
      guide('access'),
      guide('deploy'),
      guide('backup'),
    ],
  },
  {
    title: 'Concepts',
    guides: [guide('products'), guide('types'), guide('history'), guide('promises'), guide('scale')],
  },
  {
    title: 'Reference',
    guides: [
      guide('endpoints'),
      guide('criteria'),
      guide('expressions', 'src/platform/expression/README.md'),
      ERRORS,
      guide('limits'),
    ],
  },
  {
    title: 'Clients',
    guides: [
      guide('clients', 'src/clients/README.md'),
      guide('typescript', 'src/clients/typescript/README.md'),
      guide('command-line', 'src/clients/cli/README.md'),
      guide('python', 'src/clients/python/README.md'),
      guide('java', 'src/clients/java/README.md'),
    ],
  },
]

/** In reading order. */
export const GUIDES: readonly Guide[] = [INDEX, ...CHAPTERS.flatMap(chapter => chapter.guides)]
