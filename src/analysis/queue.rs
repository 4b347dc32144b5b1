//! Work on many games at once: the positions of all of them go to a pool of threads, the games come out in the order in
//! which they went in. Every position is evaluated by itself, so one game keeps all threads busy, and what comes out is
//! the same with any number of threads.

use super::cache::{Cache, EvaluationKey};
use super::evaluator::{Assessment, Evaluator, EvaluatorError, Question};
use crate::search::{ResourceError, Signals};
use crate::selfplay::{Inbox, Message, pool};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The number of positions for each thread that may wait before another game is taken: enough for no thread to be idle.
const WAITING_POSITIONS: usize = 8;
/// The number of games for each thread that may be in work: those that need no search would otherwise all wait in
/// memory for one that does.
const WAITING_GAMES: usize = 64;

/// What asks for evaluations until it is complete.
pub trait Inquiry {
    /// The next questions, which are answered before it is asked again. None if it is complete.
    fn questions(&mut self) -> Vec<Question>;

    /// The answer to a question, by its index in the latest list.
    fn answer(&mut self, index: usize, assessment: Assessment);
}

/// The reason why the work ends before its end.
#[derive(Debug, thiserror::Error)]
pub enum QueueError<E> {
    /// Positions cannot be evaluated any more.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The evaluations cannot be kept.
    #[error("evaluations cannot be kept: {0}")]
    Cache(io::Error),
    /// It was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// Whoever puts in or takes out cannot go on.
    #[error("{0}")]
    Caller(E),
}

impl<E> From<ResourceError> for QueueError<E> {
    fn from(error: ResourceError) -> Self {
        Self::Evaluator(error.into())
    }
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Positions that were searched.
    pub searched: u64,
    /// Positions whose evaluation was there already.
    pub found: u64,
    /// The nodes of the searches.
    pub nodes: u64,
    /// The time of the searches, that of all threads together.
    pub time: Duration,
}

/// A question on its way to a thread.
struct Task {
    key: EvaluationKey,
    question: Question,
}

/// An answer on its way back; without an assessment if it was stopped.
struct Answer {
    key: EvaluationKey,
    assessment: Option<Assessment>,
    time: Duration,
}

/// Something in work.
struct InWork<T> {
    inquiry: T,
    /// The questions that are not answered.
    open: usize,
    is_complete: bool,
}

/// The games in work.
pub struct Queue<'a, T> {
    cache: &'a mut Cache,
    threads: usize,
    tasks: Sender<Task>,
    inbox: Inbox<Answer>,
    is_interrupted: &'a AtomicBool,
    stop: &'a AtomicBool,
    in_work: VecDeque<InWork<T>>,
    /// The number of the first of them.
    first: usize,
    /// Who waits for an evaluation: the number in work and the index of the question.
    waiting: HashMap<EvaluationKey, Vec<(usize, usize)>>,
    effort: Effort,
}

/// Runs evaluators in threads of their own, each made by `evaluator`, and meanwhile `lead` with the queue.
///
/// # Errors
/// Those of the evaluators and of `lead`.
pub fn run<T: Inquiry, R, E: Send, V: Evaluator>(
    threads: usize,
    cache: &mut Cache,
    signals: &Arc<Signals>,
    is_interrupted: &AtomicBool,
    evaluator: impl Fn() -> Result<V, EvaluatorError> + Sync,
    lead: impl FnOnce(&mut Queue<'_, T>) -> Result<R, QueueError<E>>,
) -> Result<R, QueueError<E>> {
    let (tasks, inbox) = unbounded();
    let worker = |_| {
        let (inbox, evaluator): (Receiver<Task>, _) = (inbox.clone(), &evaluator);
        move |answers: &Sender<Answer>| {
            // It is made only when it is needed: with all evaluations at hand, none is.
            let mut made = None;
            for Task { key, question } in inbox {
                let evaluator = match &mut made {
                    Some(evaluator) => evaluator,
                    None => made.insert(evaluator()?),
                };
                let started = Instant::now();
                let assessment = evaluator.assess(&question)?;
                let time = started.elapsed();
                let assessment = assessment.map(|assessment| Assessment { time, ..assessment });
                let is_stopped = assessment.is_none();
                let _ = answers.send(Answer { key, assessment, time });
                if is_stopped {
                    break;
                }
            }
            Ok(())
        }
    };
    let workers: Vec<_> = (0..threads).map(worker).collect();
    let stop = signals.stop_flag();
    pool("analysis", workers, stop, |inbox| {
        let mut queue = Queue {
            cache,
            threads,
            tasks,
            inbox,
            is_interrupted,
            stop,
            in_work: VecDeque::new(),
            first: 0,
            waiting: HashMap::new(),
            effort: Effort::default(),
        };
        lead(&mut queue)
    })
}

impl<T: Inquiry> Queue<'_, T> {
    /// What was done so far.
    pub const fn effort(&self) -> Effort {
        self.effort
    }

    /// Puts in one more, and waits while too many positions or games wait. What is complete goes to `done`.
    ///
    /// # Errors
    /// [`QueueError`].
    pub fn put<E>(
        &mut self,
        inquiry: T,
        done: &mut dyn FnMut(T, Effort) -> Result<(), E>,
    ) -> Result<(), QueueError<E>> {
        // Games that need no search are never waited for.
        if self.is_interrupted.load(Ordering::Relaxed) {
            return Err(QueueError::Interrupted);
        }
        let number = self.first + self.in_work.len();
        self.in_work.push_back(InWork { inquiry, open: 0, is_complete: false });
        self.ask(number)?;
        self.take_out(done)?;
        while self.waiting.len() > self.threads * WAITING_POSITIONS
            || self.in_work.len() > self.threads * WAITING_GAMES
        {
            self.wait()?;
            self.take_out(done)?;
        }
        Ok(())
    }

    /// Waits until all are complete.
    ///
    /// # Errors
    /// [`QueueError`].
    pub fn finish<E>(
        &mut self,
        done: &mut dyn FnMut(T, Effort) -> Result<(), E>,
    ) -> Result<(), QueueError<E>> {
        self.take_out(done)?;
        while !self.in_work.is_empty() {
            self.wait()?;
            self.take_out(done)?;
        }
        Ok(())
    }

    /// Asks what one of them wants to know, until something has to be waited for.
    fn ask<E>(&mut self, number: usize) -> Result<(), QueueError<E>> {
        let index = number - self.first;
        while self.in_work[index].open == 0 && !self.in_work[index].is_complete {
            let questions = self.in_work[index].inquiry.questions();
            self.in_work[index].is_complete = questions.is_empty();
            for (place, question) in questions.into_iter().enumerate() {
                let key = self.cache.key(&question);
                if let Some(assessment) = self.cache.find(key, &question).map_err(QueueError::Cache)? {
                    self.effort.found += 1;
                    self.in_work[index].inquiry.answer(place, assessment);
                    continue;
                }
                self.in_work[index].open += 1;
                let waiting = self.waiting.entry(key).or_default();
                waiting.push((number, place));
                if waiting.len() == 1 {
                    // The workers are there as long as this is.
                    let _ = self.tasks.send(Task { key, question });
                }
            }
        }
        Ok(())
    }

    /// Waits for an answer.
    fn wait<E>(&mut self) -> Result<(), QueueError<E>> {
        loop {
            let message = self.inbox.next();
            if self.is_interrupted.load(Ordering::Relaxed) {
                self.stop.store(true, Ordering::Relaxed);
            }
            let is_end = message.is_none();
            let mut has_received = false;
            if let Some(Message::Sent(Answer { key, assessment: Some(assessment), time })) = message {
                self.receive(key, assessment, time)?;
                has_received = true;
            }
            // An error of a worker has stopped all, too, and is reported in the place of this.
            if is_end || self.stop.load(Ordering::Relaxed) {
                return Err(QueueError::Interrupted);
            }
            if has_received {
                return Ok(());
            }
        }
    }

    fn receive<E>(
        &mut self,
        key: EvaluationKey,
        mut assessment: Assessment,
        time: Duration,
    ) -> Result<(), QueueError<E>> {
        // The same as what is found again in the cache.
        assessment.cut();
        self.cache.add(key, &assessment).map_err(QueueError::Cache)?;
        self.effort.searched += 1;
        self.effort.nodes += assessment.nodes;
        self.effort.time += time;
        let waiting = self.waiting.remove(&key).unwrap_or_default();
        self.effort.found += waiting.len().saturating_sub(1) as u64;
        for (number, place) in waiting {
            let in_work = &mut self.in_work[number - self.first];
            in_work.inquiry.answer(place, assessment.clone());
            in_work.open -= 1;
            self.ask(number)?;
        }
        Ok(())
    }

    /// Takes out those at the front that are complete.
    fn take_out<E>(&mut self, done: &mut dyn FnMut(T, Effort) -> Result<(), E>) -> Result<(), QueueError<E>> {
        while self.in_work.front().is_some_and(|in_work| in_work.is_complete && in_work.open == 0) {
            if let Some(in_work) = self.in_work.pop_front() {
                self.first += 1;
                done(in_work.inquiry, self.effort).map_err(QueueError::Caller)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Line;
    use crate::chess::Position;
    use crate::notation::pgn::EvaluationScore;

    /// Takes longer for some positions than for others, and finds what is easily checked.
    struct Slow;

    impl Evaluator for Slow {
        fn assess(&mut self, question: &Question) -> Result<Option<Assessment>, EvaluatorError> {
            let key = question.position.key().bits();
            std::thread::sleep(Duration::from_micros(key % 1000));
            let moves = vec![question.position.legal_moves()[0]];
            let line = Line { score: EvaluationScore::Centipawns((key % 100) as i32), depth: 1, moves };
            Ok(Some(Assessment { lines: vec![line], settled: 1, nodes: 1, time: Duration::ZERO }))
        }
    }

    /// Follows the first legal moves from a position on, three positions at a time.
    struct Walk {
        number: usize,
        position: Position,
        rounds: usize,
        asked: Vec<Question>,
        sum: u64,
        answers: usize,
    }

    impl Walk {
        fn new(number: usize) -> Self {
            let moves = Position::start().legal_moves();
            let position = Position::start().after(moves[number % 5]).0;
            Self { number, position, rounds: number % 4, asked: Vec::new(), sum: 0, answers: 0 }
        }
    }

    impl Inquiry for Walk {
        fn questions(&mut self) -> Vec<Question> {
            self.asked.clear();
            if self.rounds > 0 {
                self.rounds -= 1;
                for _ in 0..3 {
                    self.position = self.position.after(self.position.legal_moves()[0]).0;
                    self.asked.push(Question { position: self.position, without: None });
                }
            }
            self.asked.clone()
        }

        fn answer(&mut self, index: usize, assessment: Assessment) {
            let key = self.asked[index].position.key().bits();
            assert_eq!(assessment.best().score, EvaluationScore::Centipawns((key % 100) as i32));
            self.sum += key % 100;
            self.answers += 1;
        }
    }

    /// One game is searched, and all others need nothing: they wait for it, but not all of them in memory.
    #[test]
    fn games_without_questions_do_not_pile_up() {
        const GAMES: usize = 10 * WAITING_GAMES;
        struct Slower;
        impl Evaluator for Slower {
            fn assess(&mut self, question: &Question) -> Result<Option<Assessment>, EvaluatorError> {
                std::thread::sleep(Duration::from_millis(30));
                Slow.assess(question)
            }
        }
        let mut cache = Cache::temporary("test").expect("a temporary file");
        let (signals, flag) = (Arc::default(), AtomicBool::new(false));
        let (mut count, mut most) = (0, 0);
        let ended = run(
            1,
            &mut cache,
            &signals,
            &flag,
            || Ok(Slower),
            |queue| {
                let mut done = |_: Walk, _| {
                    count += 1;
                    Ok::<(), ()>(())
                };
                for number in 0..GAMES {
                    // Every fourth walk asks nothing.
                    queue.put(Walk::new(if number == 0 { 1 } else { 4 }), &mut done)?;
                    most = most.max(queue.in_work.len());
                }
                queue.finish(&mut done)
            },
        );
        assert!(ended.is_ok(), "{ended:?}");
        assert!((2..=WAITING_GAMES).contains(&most), "{most}");
        assert_eq!(count, GAMES);
    }

    /// It is noticed though nothing is searched.
    #[test]
    fn games_without_questions_are_interrupted() {
        let mut cache = Cache::temporary("test").expect("a temporary file");
        let (signals, flag) = (Arc::default(), AtomicBool::new(false));
        let mut done = |_: Walk, _| Ok::<(), ()>(());
        let mut put = 0;
        let ended = run(
            1,
            &mut cache,
            &signals,
            &flag,
            || Ok(Slow),
            |queue| {
                for number in 0..100 {
                    flag.store(number == 3, Ordering::Relaxed);
                    queue.put(Walk::new(4), &mut done)?;
                    put += 1;
                }
                queue.finish(&mut done)
            },
        );
        assert!(matches!(ended, Err(QueueError::Interrupted)), "{ended:?}");
        assert_eq!(put, 3);
    }

    /// A line of an engine may be longer than what is kept of it.
    #[test]
    fn answers_are_the_same_from_the_cache() {
        struct Long;
        impl Evaluator for Long {
            fn assess(&mut self, question: &Question) -> Result<Option<Assessment>, EvaluatorError> {
                let mut position = question.position;
                let mut moves = Vec::new();
                for _ in 0..50 {
                    let Some(&mv) = position.legal_moves().first() else { break };
                    moves.push(mv);
                    position = position.after(mv).0;
                }
                assert!(moves.len() > 40, "{moves:?}");
                let line = Line { score: EvaluationScore::Centipawns(3), depth: 60, moves };
                Ok(Some(Assessment { lines: vec![line; 20], settled: 1, nodes: 1, time: Duration::ZERO }))
            }
        }
        struct One(Option<Assessment>, bool);
        impl Inquiry for One {
            fn questions(&mut self) -> Vec<Question> {
                let question = Question { position: Position::start(), without: None };
                if std::mem::replace(&mut self.1, true) { Vec::new() } else { vec![question] }
            }

            fn answer(&mut self, _: usize, assessment: Assessment) {
                self.0 = Some(assessment);
            }
        }
        let mut cache = Cache::temporary("test").expect("a temporary file");
        let (signals, flag) = (Arc::default(), AtomicBool::new(false));
        let mut answers = Vec::new();
        for _ in 0..2 {
            let mut done = |one: One, effort: Effort| {
                answers.push((one.0, effort.searched));
                Ok::<(), ()>(())
            };
            let ended = run(
                1,
                &mut cache,
                &signals,
                &flag,
                || Ok(Long),
                |queue| {
                    queue.put(One(None, false), &mut done)?;
                    queue.finish(&mut done)
                },
            );
            assert!(ended.is_ok(), "{ended:?}");
        }
        assert_eq!([answers[0].1, answers[1].1], [1, 0], "the second is from the cache");
        assert!(answers[0].0.is_some());
        assert_eq!(answers[0].0, answers[1].0);
    }

    fn walk(threads: usize) -> (Vec<(usize, u64, usize)>, Effort) {
        let mut cache = Cache::temporary("test").expect("a temporary file");
        let (signals, flag) = (Arc::default(), AtomicBool::new(false));
        let mut out = Vec::new();
        let effort = run(
            threads,
            &mut cache,
            &signals,
            &flag,
            || Ok(Slow),
            |queue| {
                let mut done = |walk: Walk, _| {
                    out.push((walk.number, walk.sum, walk.answers));
                    Ok::<(), ()>(())
                };
                for number in 0..40 {
                    queue.put(Walk::new(number), &mut done)?;
                }
                queue.finish(&mut done)?;
                Ok(queue.effort())
            },
        );
        (out, effort.expect("nothing fails"))
    }

    #[test]
    fn everything_comes_out_in_order_whatever_the_threads() {
        let (one, effort) = walk(1);
        assert_eq!(one.iter().map(|walk| walk.0).collect::<Vec<_>>(), (0..40).collect::<Vec<_>>());
        assert!(one.iter().all(|&(number, _, answers)| answers == number % 4 * 3), "{one:?}");
        // Five starts with nine positions each, of which none is evaluated twice.
        assert!(effort.searched <= 45, "{effort:?}");
        assert_eq!(effort.searched + effort.found, 40 * 9 / 2, "{effort:?}");
        let (many, same) = walk(7);
        assert_eq!((one, effort.searched), (many, same.searched));
    }

    #[test]
    fn errors_and_interruptions_end_it() {
        struct Failing;
        impl Evaluator for Failing {
            fn assess(&mut self, _: &Question) -> Result<Option<Assessment>, EvaluatorError> {
                Err(EvaluatorError::Engine { command: "x".to_owned(), problem: "y".to_owned() })
            }
        }
        let mut cache = Cache::temporary("test").expect("a temporary file");
        let (signals, flag) = (Arc::default(), AtomicBool::new(false));
        let mut done = |_: Walk, _| Ok::<(), ()>(());
        let ended = run(
            2,
            &mut cache,
            &signals,
            &flag,
            || Ok(Failing),
            |queue| {
                queue.put(Walk::new(3), &mut done)?;
                queue.finish(&mut done)
            },
        );
        assert!(matches!(ended, Err(QueueError::Evaluator(_))), "{ended:?}");
        let (signals, flag) = (Arc::default(), AtomicBool::new(true));
        let ended = run(
            2,
            &mut cache,
            &signals,
            &flag,
            || Ok(Slow),
            |queue| {
                queue.put(Walk::new(3), &mut done)?;
                queue.finish(&mut done)
            },
        );
        assert!(matches!(ended, Err(QueueError::Interrupted)), "{ended:?}");
    }
}
