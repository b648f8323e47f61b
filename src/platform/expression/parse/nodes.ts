// The tree of an expression. All other JavaScript either cannot be parsed or is `unsupported`.

export interface Place {
  /** Offsets into the source, in UTF-16 units; `end` is behind the last. */
  start: number
  end: number
}

export interface NameNode extends Place {
  kind: 'name'
  name: string
}

/** `{name}`. Wherever JavaScript has a name this may stand; the compiler says where it may not. */
export interface ReferenceNode extends Place {
  kind: 'reference'
  name: string
}

export interface LiteralNode extends Place {
  kind: 'literal'
  value: number | boolean | null
}

export interface TextNode extends Place {
  kind: 'text'
  text: string
}

/** There is one text more than there are values. */
export interface TemplateNode extends Place {
  kind: 'template'
  texts: string[]
  values: Node[]
}

export interface RegexNode extends Place {
  kind: 'regex'
  pattern: string
  flags: string
}

/** `undefined` is a hole, as in `[1, , 2]`. */
export interface ListNode extends Place {
  kind: 'list'
  elements: (Node | SpreadNode | undefined)[]
}

export interface SpreadNode extends Place {
  kind: 'spread'
  value: Node
}

export interface ObjectNode extends Place {
  kind: 'object'
  entries: (EntryNode | SpreadNode)[]
}

export interface EntryNode extends Place {
  kind: 'entry'
  key: KeyNode
  value: Node
}

/** `{a: 1}` and `{'a': 1}` have a fixed key, `{[a]: 1}` a computed one. */
export type KeyNode = NameNode | ReferenceNode | (Place & { kind: 'computed'; value: Node })

export interface UnaryNode extends Place {
  kind: 'unary'
  operator: string
  operand: Node
}

export interface BinaryNode extends Place {
  kind: 'binary'
  operator: string
  left: Node
  right: Node
}

/** Operators that may leave their right side alone. */
export interface LogicalNode extends Place {
  kind: 'logical'
  operator: '&&' | '||' | '??'
  left: Node
  right: Node
}

export interface ChoiceNode extends Place {
  kind: 'choice'
  test: Node
  whenTrue: Node
  whenFalse: Node
}

export interface MemberNode extends Place {
  kind: 'member'
  target: Node
  property: NameNode | ReferenceNode
  isOptional: boolean
}

export interface IndexNode extends Place {
  kind: 'index'
  target: Node
  key: Node
  isOptional: boolean
}

export interface CallNode extends Place {
  kind: 'call'
  callee: Node
  args: (Node | SpreadNode)[]
  isOptional: boolean
}

/** All that a `?.` within it leaves out when there is nothing before it. */
export interface ChainNode extends Place {
  kind: 'chain'
  inner: Node
}

export interface NewNode extends Place {
  kind: 'new'
  callee: Node
  args: (Node | SpreadNode)[]
}

/** Parameters are checked to be what JavaScript takes; the compiler takes fewer. */
export interface ArrowNode extends Place {
  kind: 'arrow'
  parameters: (Node | SpreadNode)[]
  body: Node
}

export interface GroupNode extends Place {
  kind: 'group'
  inner: Node
}

/** Only a default in the parameters of an arrow function is looked into. */
export interface AssignmentNode extends Place {
  kind: 'assignment'
  operator: string
  target: Node
}

/** What JavaScript has and this language has not; `what` says it in words. */
export interface UnsupportedNode extends Place {
  kind: 'unsupported'
  what: string
  /** Where the fault is, unless at its start. */
  at?: number
}

export type Node =
  | NameNode
  | ReferenceNode
  | LiteralNode
  | TextNode
  | TemplateNode
  | RegexNode
  | ListNode
  | ObjectNode
  | UnaryNode
  | BinaryNode
  | LogicalNode
  | ChoiceNode
  | MemberNode
  | IndexNode
  | CallNode
  | ChainNode
  | NewNode
  | ArrowNode
  | GroupNode
  | AssignmentNode
  | UnsupportedNode
