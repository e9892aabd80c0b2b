//! A small, fast source of random numbers: xorshift64*, good enough to deal out cards.

/// The source; the same seed gives the same numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts from any seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        // Neighbouring seeds are spread by a step of SplitMix64; zero is the one state that does not move.
        let mixed = (seed.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Self(mixed | 1)
    }

    const fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `count`, which is not 0.
    pub const fn below(&mut self, count: usize) -> usize {
        (((self.next() >> 32) * count as u64) >> 32) as usize
    }

    /// A number from 0 up to, but not including, 1.
    pub fn share(&mut self) -> f64 {
        f64::from((self.next() >> 32) as u32) / (f64::from(u32::MAX) + 1.0)
    }

    /// Moves `count` of the cards, chosen at random, to the front, in random order.
    pub fn shuffle_front<T>(&mut self, cards: &mut [T], count: usize) {
        for place in 0..count.min(cards.len()) {
            let other = place + self.below(cards.len() - place);
            cards.swap(place, other);
        }
    }
}
