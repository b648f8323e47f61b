// The item that single requests are measured with.

export const itemOf = (n: number) => ({
  name: `Style ${n}`,
  color: 'navy',
  price: n * 1.5,
  season: 'SS27',
  isNew: n % 2 === 0,
  sizes: ['S', 'M', 'L'],
})
