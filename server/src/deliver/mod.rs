//! The deliverer: claims what is due, signs, posts, and writes down what came of it.
